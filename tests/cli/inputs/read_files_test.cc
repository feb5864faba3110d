// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/read_files.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr uint64_t kMiB = 1 << 20;

TEST(FilesAtOnceTest, AreMoreThanTwoOnlyIfTheyAreSmall) {
  EXPECT_EQ(FilesAtOnce(1024 * kMiB, 64), 2u);
  EXPECT_EQ(FilesAtOnce(100 * kMiB, 64), 2u);
  EXPECT_EQ(FilesAtOnce(32 * kMiB, 64), 8u);
  EXPECT_EQ(FilesAtOnce(kMiB, 64), 64u);
  EXPECT_EQ(FilesAtOnce(0, 64), 64u);
}

TEST(FilesAtOnceTest, AreNotMoreThanThreads) {
  EXPECT_EQ(FilesAtOnce(1024 * kMiB, 1), 1u);
  EXPECT_EQ(FilesAtOnce(kMiB, 2), 2u);
}

}  // namespace
}  // namespace heapprof
