// SPDX-License-Identifier: Apache-2.0
#include "report/source_text.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(WithoutTabsTest, FillsUpToTheNextTabStop) {
  EXPECT_EQ(WithoutTabs("\tf();"), "        f();");
  EXPECT_EQ(WithoutTabs("if\tx"), "if      x");
  EXPECT_EQ(WithoutTabs("12345678\tx"), "12345678        x");
  EXPECT_EQ(WithoutTabs("plain"), "plain");
}

}  // namespace
}  // namespace heapprof
