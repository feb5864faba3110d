// SPDX-License-Identifier: Apache-2.0
#include "report/stack_lines.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

using Stack = std::vector<std::string>;

TEST(StackLinesTest, BreaksBetweenFunctions) {
  const Stack stack = {"Open", "Accept", "Serve", "main"};
  EXPECT_EQ(StackLine(stack, 80), "Open < Accept < Serve < main");
  EXPECT_THAT(StackLines(stack, 18, 2),
              ElementsAre("Open < Accept <", "Serve < main"));
  EXPECT_THAT(StackLines(stack, 17, 1), ElementsAre("Open < Accept < …"));
  EXPECT_THAT(StackLines(stack, 16, 1), ElementsAre("Open < …"));
  EXPECT_THAT(StackLines({}, 16, 1), ElementsAre(""));
}

TEST(StackLinesTest, ShortenNamesAtTheirParts) {
  EXPECT_EQ(StackLine(Stack{"ns::Cache::Insert"}, 20), "…::Cache::Insert");
}

TEST(StackLinesTest, NeverExceedTheColumns) {
  const Stack stack = {"one", std::string(40, 'x'), "Größe", "f", "main"};
  for (size_t columns = 8; columns < 60; ++columns)
    for (size_t most = 1; most < 5; ++most) {
      const auto lines = StackLines(stack, columns, most);
      EXPECT_LE(lines.size(), most);
      for (const std::string& line : lines)
        EXPECT_LE(Columns(line), columns) << line;
    }
}

TEST(StackLinesTest, AsManyLinesAsTellStacksApart) {
  const Stack stacks[] = {{"new", "first", "second", "left", "main"},
                          {"new", "first", "second", "right", "main"}};
  const auto lines = DistinctStackLines(stacks, 12);
  EXPECT_THAT(lines[0],
              ElementsAre("new <", "first <", "second <", "left < …"));
  EXPECT_THAT(lines[1],
              ElementsAre("new <", "first <", "second <", "right < …"));
  // Two lines are enough, or no number is.
  EXPECT_THAT(DistinctStackLines(std::vector<Stack>{stacks[0]}, 12),
              ElementsAre(ElementsAre("new <", "first < …")));
  EXPECT_THAT(DistinctStackLines(std::vector<Stack>{stacks[0], stacks[0]}, 12),
              ElementsAre(ElementsAre("new <", "first < …"),
                          ElementsAre("new <", "first < …")));
}

}  // namespace
}  // namespace heapprof
