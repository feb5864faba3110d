// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <gtest/gtest.h>

#include "heapprof/view/stack_table.h"

namespace heapprof {
namespace {

TEST(WriteCollapsedTest, WritesStackBlankValue) {
  const StackTable table = {{{.stack = "main;ns::f(int)", .now = 100},
                             {.stack = "main;ns::g()", .now = 20}}};
  const CollapsedReport report = WriteCollapsed(table);
  EXPECT_EQ(report.text, "main;ns::f(int) 100\nmain;ns::g() 20\n");
  EXPECT_EQ(report.shrunk, 0);
}

TEST(WriteCollapsedTest, CarriesFractionsToTheNextRowAndSkipsZero) {
  const StackTable table = {{{.stack = "a", .now = 1.5},
                             {.stack = "b", .now = 0.25},
                             {.stack = "c", .now = 0},
                             {.stack = "d", .now = 0.5},
                             {.stack = "e", .now = 9007199254740992}}};
  EXPECT_EQ(WriteCollapsed(table).text, "a 1\nd 1\ne 9007199254740992\n");
}

TEST(WriteCollapsedTest, WritesGrowthAndTotalsDecreases) {
  const StackTable table = {{{.stack = "grew", .now = 30, .before = 10},
                             {.stack = "new", .now = 5},
                             {.stack = "same", .now = 7, .before = 7},
                             {.stack = "shrank", .now = 1, .before = 4},
                             {.stack = "vanished", .before = 100}}};
  const CollapsedReport report = WriteCollapsed(table);
  EXPECT_EQ(report.text, "grew 20\nnew 5\n");
  EXPECT_EQ(report.shrunk, 103);
}

TEST(WriteCollapsedTest, OfNothingIsEmpty) {
  EXPECT_EQ(WriteCollapsed(StackTable()).text, "");
  EXPECT_EQ(WriteTwoColumns(StackTable()), "");
}

TEST(WriteTwoColumnsTest, WritesBeforeThenNow) {
  const StackTable table = {{{.stack = "grew", .now = 30.7, .before = 10.7},
                             {.stack = "new", .now = 5},
                             {.stack = "nothing", .now = 0.2, .before = 0.2},
                             {.stack = "vanished", .before = 100}}};
  EXPECT_EQ(WriteTwoColumns(table), "grew 10 30\nnew 0 5\nvanished 100 0\n");
}

}  // namespace
}  // namespace heapprof
