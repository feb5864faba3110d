// SPDX-License-Identifier: Apache-2.0
#include "report/text_bar.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(TextBarTest, FillsItsWidth) {
  EXPECT_EQ(TextBar(8, 8, 3), "███");
  EXPECT_EQ(TextBar(4, 8, 3), "█▌ ");
  EXPECT_EQ(TextBar(1, 24, 3), "▏  ");
  EXPECT_EQ(TextBar(9, 8, 3), "███");
}

TEST(TextBarTest, IsBlankWithoutAValue) {
  EXPECT_EQ(TextBar(0, 8, 3), "   ");
  EXPECT_EQ(TextBar(-5, 8, 3), "   ");
  EXPECT_EQ(TextBar(5, 0, 3), "   ");
  EXPECT_EQ(TextBar(5, 8, 0), "");
}

}  // namespace
}  // namespace heapprof
