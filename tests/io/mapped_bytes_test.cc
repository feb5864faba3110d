// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/mapped_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Result<MappedBytes> MapFile(const TemporaryFile& file, int flags,
                            uint64_t size) {
  const int fd = open(file.path().c_str(), flags);
  auto mapped = MappedBytes::Map(fd, size, file.path(), /*is_read_whole=*/true);
  close(fd);
  return mapped;
}

TEST(MappedBytesTest, OutlivesTheFileDescriptor) {
  const TemporaryFile file("ab");
  const auto mapped = MapFile(file, O_RDONLY, 2);
  ASSERT_TRUE(mapped);
  EXPECT_THAT(mapped->bytes(), ElementsAre('a', 'b'));
}

// mmap() fails for 0 bytes.
TEST(MappedBytesTest, MapsAnEmptyFile) {
  const TemporaryFile file("");
  const auto mapped = MapFile(file, O_RDONLY, 0);
  ASSERT_TRUE(mapped);
  EXPECT_THAT(mapped->bytes(), IsEmpty());
}

TEST(MappedBytesTest, SaysWhichFileCannotBeMapped) {
  const TemporaryFile file("ab");
  const auto mapped = MapFile(file, O_WRONLY, 2);
  ASSERT_FALSE(mapped);
  EXPECT_EQ(mapped.error().message,
            file.path() + ": cannot map: Permission denied");
}

}  // namespace
}  // namespace heapprof
