// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "heapprof/io/output_file.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

// Writing does not block although nobody reads.
TEST(EnlargePipeTest, LetsAPipeHoldAMebibyte) {
  std::array<int, 2> ends = {};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
  const auto size = [&] { return fcntl(ends[1], F_GETPIPE_SZ); };
  const int before = size();
  EnlargePipe(ends[1]);
  // A user who already has many such pipes gets no more.
  if (size() == before) GTEST_SKIP() << "the system allows no larger pipe";
  const std::string bytes(size_t{1} << 20, 'x');
  EXPECT_TRUE(WriteAll(ends[1], bytes, "pipe"));
  close(ends[0]);
  close(ends[1]);
}

TEST(EnlargePipeTest, LeavesOtherFilesAlone) {
  const TemporaryFolder folder;
  const int fd = open(folder.Path("file").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(fd, 0);
  EnlargePipe(fd);
  EnlargePipe(-1);
  EXPECT_TRUE(WriteAll(fd, "x", "file"));
  close(fd);
}

}  // namespace
}  // namespace heapprof
