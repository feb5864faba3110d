// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/counted.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CountedTest, OnlyOneIsSingular) {
  EXPECT_EQ(Counted(0, "dump"), "0 dumps");
  EXPECT_EQ(Counted(1, "dump"), "1 dump");
  EXPECT_EQ(Counted(2, "more dump"), "2 more dumps");
  EXPECT_EQ(Counted(1, "index", "indexes"), "1 index");
  EXPECT_EQ(Counted(2, "index", "indexes"), "2 indexes");
}

}  // namespace
}  // namespace heapprof
