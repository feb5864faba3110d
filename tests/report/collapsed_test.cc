// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/view/stack_table.h"
#include "support/written_text.h"

namespace heapprof {
namespace {

struct Row {
  std::vector<std::string> frames;
  double now = 0;
  double before = 0;
};

StackTable TableOf(const std::vector<Row>& rows) {
  StackTable table;
  for (const Row& row : rows) {
    const size_t first = table.frames.size();
    for (const std::string& frame : row.frames) {
      table.frames.push_back(static_cast<uint32_t>(table.labels.size()));
      table.labels.push_back(frame);
    }
    table.rows.push_back({.first = first,
                          .count = static_cast<uint32_t>(row.frames.size()),
                          .values = {row.now, row.before}});
  }
  return table;
}

struct Report {
  std::string text;
  double shrunk = 0;
};

Report ReportOf(const std::vector<Row>& rows) {
  Report report;
  report.text = WrittenText([&](ByteSink& out) {
    report.shrunk = WriteCollapsed(TableOf(rows), out);
  });
  return report;
}

std::string TwoColumnsOf(const std::vector<Row>& rows) {
  return WrittenText(
      [&](ByteSink& out) { WriteTwoColumns(TableOf(rows), out); });
}

TEST(WriteCollapsedTest, WritesStackBlankValue) {
  const Report report =
      ReportOf({{.frames = {"main", "ns::f(int)"}, .now = 100},
                {.frames = {"main", "ns::g()", "h"}, .now = 20}});
  EXPECT_EQ(report.text, "main;ns::f(int) 100\nmain;ns::g();h 20\n");
  EXPECT_EQ(report.shrunk, 0);
}

TEST(WriteCollapsedTest, WritesLongStacksInParts) {
  Row row = {.frames = {}, .now = 7};
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    row.frames.emplace_back(10'000, static_cast<char>('a' + i % 26));
    expected += row.frames.back() + (i < 99 ? ";" : " 7\n");
  }
  const StackTable table = TableOf({row});
  std::string text;
  size_t largest = 0;
  ByteSink out([&](std::string_view block) {
    text += block;
    largest = std::max(largest, block.size());
    return Result<void>();
  });
  WriteCollapsed(table, out);
  EXPECT_TRUE(out.Finish());
  EXPECT_TRUE(text == expected);  // too long to be printed
  EXPECT_LT(largest, 2 * ByteSink::kBlockSize);
}

TEST(WriteCollapsedTest, WritesAStackWithoutFrames) {
  EXPECT_EQ(ReportOf({{.frames = {}, .now = 3}}).text, " 3\n");
}

TEST(WriteCollapsedTest, CarriesFractionsToTheNextRowAndSkipsZero) {
  EXPECT_EQ(ReportOf({{.frames = {"a"}, .now = 1.5},
                      {.frames = {"b"}, .now = 0.25},
                      {.frames = {"c"}, .now = 0},
                      {.frames = {"d"}, .now = 0.5},
                      {.frames = {"e"}, .now = 9007199254740992}})
                .text,
            "a 1\nd 1\ne 9007199254740992\n");
}

TEST(WriteCollapsedTest, WritesGrowthAndTotalsDecreases) {
  const Report report = ReportOf({{.frames = {"grew"}, .now = 30, .before = 10},
                                  {.frames = {"new"}, .now = 5},
                                  {.frames = {"same"}, .now = 7, .before = 7},
                                  {.frames = {"shrank"}, .now = 1, .before = 4},
                                  {.frames = {"vanished"}, .before = 100}});
  EXPECT_EQ(report.text, "grew 20\nnew 5\n");
  EXPECT_EQ(report.shrunk, 103);
}

// The table shows a total of 10 - 5.
TEST(WriteCollapsedTest, AddsUpToTheChangeOfTheTable) {
  const Report report = ReportOf(
      {{.frames = {"f"}, .now = 10.25}, {.frames = {"g"}, .before = 5.5}});
  EXPECT_EQ(report.text, "f 10\n");
  EXPECT_EQ(report.shrunk, 5);
}

TEST(WriteCollapsedTest, OfNothingIsEmpty) {
  EXPECT_EQ(ReportOf({}).text, "");
  EXPECT_EQ(TwoColumnsOf({}), "");
}

TEST(WriteTwoColumnsTest, WritesBeforeThenNow) {
  EXPECT_EQ(TwoColumnsOf({{.frames = {"grew"}, .now = 30.7, .before = 10.7},
                          {.frames = {"new"}, .now = 5},
                          {.frames = {"nothing"}, .now = 0.2, .before = 0.2},
                          {.frames = {"vanished"}, .before = 100}}),
            "grew 10 30\nnew 0 5\nvanished 100 0\n");
}

TEST(WriteTwoColumnsTest, GivesUnchangedStacksEqualColumnsThatAddUp) {
  // Fractions from the changed stacks would round "same" differently on each
  // side, and so would a rounding error in the sum of several samples.
  EXPECT_EQ(
      TwoColumnsOf(
          {{.frames = {"grew"}, .now = 30.7, .before = 10.1},
           {.frames = {"same"}, .now = 7.4, .before = 7.4},
           {.frames = {"more"}, .now = 1e9 + 0.7, .before = 1e9 + 0.7 + 1e-6},
           {.frames = {"vanished"}, .before = 0.9},
           {.frames = {"appeared"}, .now = 5.3}}),
      "grew 10 30\nsame 7 7\nmore 1000000001 1000000001\n"
      "vanished 1 0\nappeared 0 6\n");
}

}  // namespace
}  // namespace heapprof
