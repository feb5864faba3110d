// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/trimmed.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(TrimmedTest, RemovesBlanksAndTabsAtBothEndsOnly) {
  EXPECT_EQ(Trimmed("a b"), "a b");
  EXPECT_EQ(Trimmed(" \ta\t b\n \t"), "a\t b\n");
  EXPECT_EQ(Trimmed(" \t"), "");
  EXPECT_EQ(Trimmed(""), "");
}

}  // namespace
}  // namespace heapprof
