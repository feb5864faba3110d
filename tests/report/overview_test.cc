// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/overview.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/text_columns.h"
#include "heapprof/view/overview.h"
#include "report/mebibyte.h"

namespace heapprof::overview_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A row that holds that many MiB of 100.
OverviewRow RowOf(std::string name, double percent, double cumulative_percent) {
  return {.name = std::move(name),
          .cell = {.change = {.now = {.value = percent * kMebibyte}}},
          .percent = percent,
          .cumulative_percent = cumulative_percent};
}

Overview Example() {
  return {
      .program = "/srv/bin/server",
      .time_seconds = 1700000000,
      .sampling_period = 524288,
      .total = 100 * kMebibyte,
      .interval = Interval{97 * kMebibyte, 103 * kMebibyte},
      .shown = 100 * kMebibyte,
      .objects = 4711.9,
      .own = {.rows = {RowOf("app::Load", 60, 75), RowOf("app::Parse", 30, 30)},
              .unassigned = RowOf("[outside your code]", 10, 0)},
      .allocating = {.rows = {RowOf("std::vector::grow", 100, 100)}}};
}

OverviewLayout LayoutOf(size_t columns, size_t rows) {
  return {.dump = "server.heap",
          .commands = {"heapprof one", "heapprof two"},
          .columns = columns,
          .rows = rows};
}

Overview WithFunctions(size_t count) {
  Overview overview = Example();
  overview.own.rows.assign(count, RowOf(std::string(100, 'x'), 1, 1));
  overview.allocating.rows = overview.own.rows;
  return overview;
}

size_t LineCount(std::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

TEST(WriteOverviewTest, PutsTheTablesBelowEachOtherOnANarrowTerminal) {
  EXPECT_EQ(WriteOverview(Example(), LayoutOf(80, 24)),
            "server   server.heap   2023-11-14 22:13:20 UTC\n"
            "100.0 ± 3.0 MiB live in 4711 objects; one sample per 512 KiB\n"
            "\n"
            "      self  share  with callees  "
            "Your code, with libraries it calls\n"
            "  60.0 MiB  60.0%         75.0%  app::Load\n"
            "  30.0 MiB  30.0%         30.0%  app::Parse\n"
            "  10.0 MiB  10.0%                [outside your code]\n"
            "\n"
            "  self  Functions that allocate\n"
            "  100%  std::vector::grow\n"
            "\n"
            "Next:  heapprof one\n"
            "       heapprof two\n");
}

TEST(WriteOverviewTest, SaysHowLargeTheObjectsAreIfThatIsKnown) {
  Overview overview = Example();
  overview.own.rows[0].objects = 60 * 1024;
  overview.own.rows[1].objects = 0;
  overview.own.unassigned.objects = 200'000;
  EXPECT_THAT(
      WriteOverview(overview, LayoutOf(80, 24)),
      HasSubstr("      self  share  with callees  mean size  Your code, "
                "with libraries it calls\n"
                "  60.0 MiB  60.0%         75.0%    1.0 KiB  app::Load\n"
                "  30.0 MiB  30.0%         30.0%             app::Parse\n"
                "  10.0 MiB  10.0%                     52 B  [outside "
                "your code]\n"));
}

TEST(WriteOverviewTest, ShowsGroupsInsteadOfFunctionsThatAllocate) {
  Overview overview = Example();
  overview.groups.rows = {RowOf("RocksDB", 70, 70), RowOf("[other]", 30, 30)};
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 24)),
              HasSubstr("\n\n"
                        "      held  share  Groups\n"
                        "  70.0 MiB  70.0%  RocksDB\n"
                        "  30.0 MiB  30.0%  [other]\n"
                        "\n"
                        "      self  share  with callees  "
                        "Your code, with libraries it calls\n"
                        "  60.0 MiB  60.0%         75.0%  app::Load\n"
                        "  30.0 MiB  30.0%         30.0%  app::Parse\n"
                        "  10.0 MiB  10.0%                [outside your code]\n"
                        "\n"
                        "Next:  "));
  EXPECT_THAT(WriteOverview(overview, LayoutOf(160, 24)),
              HasSubstr("      held  share  Groups          self  share  "
                        "with callees  Your code"));
}

TEST(WriteOverviewTest, CountsGroupsThatDoNotFit) {
  Overview overview = Example();
  overview.groups.rows.assign(20, RowOf("group", 5, 5));
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 24)),
              ContainsRegex("\n.* more groups\n"));
  overview.groups.rows.push_back(RowOf("[other]", 0, 0));
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 24)),
              ContainsRegex("\n.* more groups\n +0 +0%  .other.\n"));
}

TEST(WriteOverviewTest, BreaksTheHeadlineOnANarrowTerminal) {
  const auto lines = [](size_t columns) {
    const std::string text = WriteOverview(Example(), LayoutOf(columns, 24));
    const size_t headline = text.find("100.0 ");
    return text.substr(headline, text.find("\n\n") - headline);
  };
  const std::string headline = lines(80);
  const size_t semicolon = headline.find(';');
  ASSERT_NE(semicolon, headline.npos);
  EXPECT_EQ(lines(40), headline.substr(0, semicolon + 1) + '\n' +
                           headline.substr(semicolon + 2));
  EXPECT_THAT(WriteOverview(Example(), LayoutOf(40, 24)),
              StartsWith("server   server.heap\n2023-11-14 22:13:20 UTC\n"));
}

TEST(WriteOverviewTest, LeavesSizesOutOnAVeryNarrowTerminal) {
  Overview overview = WithFunctions(2);
  overview.own.rows[0].objects = 1024;
  for (const size_t columns : {68u, 67u}) {
    const std::string text = WriteOverview(overview, LayoutOf(columns, 24));
    EXPECT_EQ(text.contains("mean size"), columns == 68) << text;
    for (const auto line : std::views::split(text, '\n'))
      EXPECT_LE(Columns(std::string_view(line)), columns);
  }
}

TEST(WriteOverviewTest, LeavesOutWhatFunctionsCallOnTheNarrowestTerminal) {
  Overview overview = WithFunctions(2);
  for (const size_t columns : {45u, 40u}) {
    const std::string text = WriteOverview(overview, LayoutOf(columns, 24));
    EXPECT_EQ(text.contains("with callees"), columns == 45) << text;
    for (const auto line : std::views::split(text, '\n'))
      EXPECT_LE(Columns(std::string_view(line)), columns);
  }
}

TEST(WriteOverviewTest, PutsTheTablesSideBySideOnAWideTerminal) {
  EXPECT_THAT(WriteOverview(Example(), LayoutOf(120, 40)),
              ContainsRegex("\n  60.0 MiB  60.0% +75.0%  app::Load +"
                            "  100%  std::vector::grow\n"));
}

TEST(WriteOverviewTest, FillsTheTerminalAndNoMore) {
  for (const auto& [columns, rows] :
       {std::pair(80u, 24u), std::pair(120u, 40u), std::pair(200u, 60u)}) {
    const std::string text =
        WriteOverview(WithFunctions(200), LayoutOf(columns, rows));
    // The prompt and a message take a line each.
    EXPECT_LE(LineCount(text), rows - 2);
    EXPECT_GE(LineCount(text), rows - 3);
  }
}

TEST(WriteOverviewTest, GivesRowsToTheTableWhoseFunctionsHoldMore) {
  Overview overview = Example();
  overview.own.rows = {RowOf("a", 30, 30), RowOf("b", 20, 20),
                       RowOf("c", 15, 15), RowOf("d", 14, 14),
                       RowOf("e", 11, 11)};
  overview.allocating.rows = {RowOf("v", 96, 96), RowOf("w", 1, 1),
                              RowOf("x", 1, 1), RowOf("y", 1, 1),
                              RowOf("z", 1, 1)};
  const std::string text = WriteOverview(overview, LayoutOf(80, 18));
  EXPECT_LT(LineCount(text), 18U);
  for (const char* name : {"  a\n", "  c\n", "  2 more functions\n", "  v\n",
                           "  4 more functions\n"})
    EXPECT_THAT(text, HasSubstr(name));
  // Those of your code count twice.
  overview.allocating.rows = {RowOf("v", 40, 40), RowOf("w", 29, 29),
                              RowOf("x", 1, 1), RowOf("y", 1, 1),
                              RowOf("z", 1, 1)};
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 18)),
              AllOf(HasSubstr("  c\n"), HasSubstr("  4 more functions\n")));
  // Whatever they hold, each has a function.
  overview.allocating.rows =
      std::exchange(overview.own.rows,
                    {RowOf("v", 96, 96), RowOf("w", 1, 1), RowOf("x", 1, 1)});
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 18)),
              AllOf(HasSubstr("  v\n"), HasSubstr("  c\n")));
}

TEST(WriteOverviewTest, KeepsTheTotalOnALowScreen) {
  const Overview overview = WithFunctions(200);
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 17)),
              HasSubstr("Functions that allocate"));
  const std::string text = WriteOverview(overview, LayoutOf(80, 16));
  EXPECT_LT(LineCount(text), 16U);
  EXPECT_THAT(text, Not(HasSubstr("Functions that allocate")));
}

TEST(WriteOverviewTest, SumsRowsThatDoNotFit) {
  const std::string text = WriteOverview(WithFunctions(200), LayoutOf(80, 24));
  EXPECT_THAT(text, HasSubstr("191.0 MiB 191.0%"));
  EXPECT_THAT(text, HasSubstr("191 more functions\n"));
  OverviewLayout layout = LayoutOf(80, 24);
  layout.top = 199;
  EXPECT_THAT(WriteOverview(WithFunctions(200), layout),
              HasSubstr(" 1 more function\n"));
}

TEST(WriteOverviewTest, SaysBothBoundsIfTheyAreFarFromSymmetrical) {
  Overview overview = Example();
  overview.total = kMebibyte;
  overview.interval = Interval{0.1 * kMebibyte, 5 * kMebibyte};
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 24)),
              HasSubstr("1.0 MiB (102.4 KiB to 5.0 MiB) live"));
}

TEST(WriteOverviewTest, SaysThatNumbersAreExact) {
  Overview overview = Example();
  overview.interval.reset();
  overview.is_exact = true;
  overview.sampling_period = 1;
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 24)),
              HasSubstr("100.0 MiB (exact) live in 4711 objects; "
                        "without sampling\n"));
}

TEST(WriteOverviewTest, ShowsCumulativeValuesIfThereIsNoOwnCode) {
  Overview overview = Example();
  overview.own = {};
  overview.cumulative.rows.assign(30, RowOf("main", 100, 100));
  const std::string text = WriteOverview(overview, LayoutOf(80, 24));
  EXPECT_THAT(text, HasSubstr("with callees  share  Functions\n"
                              "   100.0 MiB   100%  main\n"));
  // Functions that call each other cannot be summed.
  EXPECT_THAT(text, HasSubstr("\n                     25 more functions\n"));
}

TEST(WriteOverviewTest, HasNoTablesIfNothingIsHeld) {
  EXPECT_EQ(
      WriteOverview({.sampling_period = 524288, .objects = 0},
                    {.dump = "server.heap", .commands = {"heapprof one"}}),
      "server.heap\n"
      "0 B live in 0 objects; one sample per 512 KiB\n"
      "\n"
      "Next:  heapprof one\n");
}

TEST(WriteOverviewTest, ShowsTheTotalAfterFilters) {
  Overview overview = Example();
  overview.shown = 10 * kMebibyte;
  EXPECT_THAT(WriteOverview(overview, LayoutOf(80, 24)),
              HasSubstr("The filters leave 10.0 MiB of it.\n"));
}

TEST(WriteOverviewTest, LetsNoControlCharacterOutOfANameOrPath) {
  Overview overview = Example();
  overview.program = "/bin/a\x1b[2J";
  overview.own.rows[0].name = "f\ng";
  const std::string text = WriteOverview(overview, LayoutOf(0, 0));
  EXPECT_THAT(text, StartsWith("a?[2J "));
  EXPECT_THAT(text, HasSubstr("f?g\n"));
}

TEST(WriteOverviewTest, ColoursHeadingsAndLargeValues) {
  OverviewLayout layout = LayoutOf(80, 24);
  layout.color = true;
  const std::string text = WriteOverview(Example(), layout);
  EXPECT_THAT(text, StartsWith("\x1b[1mserver   server.heap"));
  EXPECT_THAT(text, HasSubstr("\x1b[1m  60.0 MiB"));
  EXPECT_THAT(text, HasSubstr("\x1b[2m  10.0 MiB"));
  EXPECT_THAT(text, EndsWith("       heapprof two\n"));
}

}  // namespace
}  // namespace heapprof::overview_test
