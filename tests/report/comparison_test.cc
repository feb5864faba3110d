// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/comparison.h"

#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/mebibyte.h"

namespace heapprof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// With these mebibytes on both sides, and an error of the change.
ComparisonEntry EntryOf(std::string name, double now, double base,
                        double error) {
  const double change = (now - base) * kMebibyte;
  const double room = error * kMebibyte;
  const bool is_noise = error != 0 && change - room <= 0 && change + room >= 0;
  return {.key = name,
          .name = std::move(name),
          .growth = {.now = {.mean = {now * kMebibyte, 0}},
                     .base = {.mean = {base * kMebibyte, 0}}},
          .change = change,
          .interval = {change - room, change + room},
          .is_new = base == 0,
          .is_gone = now == 0,
          .is_noise = is_noise,
          .has_changed = !is_noise && change != 0};
}

Comparison Example() {
  Comparison comparison;
  for (const Side side : kSides)
    comparison.sides[side] = {.runs = 1, .period = 4096};
  comparison.sides.now.total = {108 * kMebibyte, 112 * kMebibyte};
  comparison.sides.base.total = {98 * kMebibyte, 102 * kMebibyte};
  comparison.total = EntryOf("total", 110, 100, 3);
  comparison.entries = {
      EntryOf("Cache::Insert", 15, 0, 0.5), EntryOf("Pool::Grow", 0, 5, 0.25),
      EntryOf("Load", 90, 89.5, 2), EntryOf("Parse", 5, 5.5, 1)};
  comparison.unchanged = EntryOf("", 95, 95, 0);
  return comparison;
}

ComparisonLayout LayoutOf(size_t rows, size_t width = 0) {
  return {.dumps = {std::vector<ComparedDump>{{.path = "/tmp/new.heap",
                                               .program = "/srv/bin/server",
                                               .build_id = "5512aa01beef9",
                                               .time_seconds = 1700000000}},
                    std::vector<ComparedDump>{{.path = "/tmp/old.heap"}}},
          .rows = rows,
          .width = width};
}

TEST(WriteComparisonTest, SaysOfHowMuchFiltersLeaveTheTotals) {
  Comparison comparison = Example();
  comparison.sides.base.filtered_out = 23.5 * kMebibyte;
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10)),
              AllOf(HasSubstr(" 100.0 ± 2.0 MiB of 123.5 MiB live; one sample"),
                    HasSubstr(" 110.0 ± 2.0 MiB live; one sample")));
}

TEST(WriteComparisonTest, ShowsBothSidesAndWhatChanged) {
  EXPECT_EQ(WriteComparison(Example(), LayoutOf(10)),
            "before  /tmp/old.heap\n"
            "        100.0 ± 2.0 MiB live; one sample per 4 KiB\n"
            "after   /tmp/new.heap   server (build 5512aa01beef)"
            "   2023-11-14 22:13:20 UTC\n"
            "        110.0 ± 2.0 MiB live; one sample per 4 KiB\n"
            "\n"
            "   before      after           change  share  function\n"
            "100.0 MiB  110.0 MiB  +10.0 ± 3.0 MiB   9.1%  total\n"
            "      new   15.0 MiB  +15.0 ± 0.5 MiB  13.6%  Cache::Insert\n"
            "  5.0 MiB       gone   -5.0 ± 0.3 MiB  -4.5%  Pool::Grow\n"
            " 95.0 MiB   95.0 MiB                0     0%  2 functions: may be "
            "chance\n");
}

TEST(WriteComparisonTest, AlwaysShowsWhatNoGroupHas) {
  Comparison comparison = Example();
  comparison.by = CompareBy::kGroup;
  comparison.entries[2] = EntryOf("[other]", 90, 89.5, 2);
  comparison.unchanged = EntryOf("", 5, 5.5, 0);
  EXPECT_THAT(
      WriteComparison(comparison, LayoutOf(1)),
      HasSubstr(
          "  13.6%  Cache::Insert\n"
          " 89.5 MiB   90.0 MiB   +0.5 ± 2.0 MiB   0.45%  [other]\n"
          "  5.5 MiB    5.0 MiB       -512.0 KiB  -0.45%  1 group: may be "
          "chance\n"));
  comparison.entries[1] = EntryOf("[other]", 0, 5, 0.25);
  comparison.entries.resize(2);
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(1)),
              HasSubstr("-4.5%  [other]\n"));
}

TEST(WriteComparisonTest, LeavesOutColumnsOnANarrowTerminal) {
  EXPECT_THAT(WriteComparison(Example(), LayoutOf(10, 60)),
              HasSubstr("\n"
                        "   before      after           change  function\n"
                        "100.0 MiB  110.0 MiB  +10.0 ± 3.0 MiB  total\n"));
  EXPECT_THAT(WriteComparison(Example(), LayoutOf(10, 40)),
              HasSubstr("\n"
                        "         change  function\n"
                        "+10.0 ± 3.0 MiB  total\n"
                        "+15.0 ± 0.5 MiB  Cache::Insert\n"));
}

TEST(WriteComparisonTest, BreaksTheHeaderOfASideOnANarrowTerminal) {
  EXPECT_THAT(WriteComparison(Example(), LayoutOf(10, 40)),
              HasSubstr("after   /tmp/new.heap\n"
                        "        server (build 5512aa01beef)\n"
                        "        2023-11-14 22:13:20 UTC\n"
                        "        110.0 ± 2.0 MiB live;\n"
                        "        one sample per 4 KiB\n"));
}

TEST(WriteComparisonTest, BreaksTheLineOfASideThatDoesNotFit) {
  Comparison comparison = Example();
  comparison.sides.now.runs = 3;
  comparison.sides.now.dispersion = 4;
  const std::string text = WriteComparison(comparison, LayoutOf(10, 80));
  EXPECT_THAT(text, HasSubstr("        110.0 ± 2.0 MiB live, mean of 3 dumps; "
                              "one sample per 4 KiB;\n"
                              "        run-to-run variation: 2× sampling "
                              "error\n"));
}

TEST(WriteComparisonTest, LeavesOutAVariationThatWouldBeShownAsOne) {
  Comparison comparison = Example();
  comparison.sides.now.runs = 3;
  comparison.sides.now.dispersion = 1.08;
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10)),
              Not(HasSubstr("variation")));
}

TEST(WriteComparisonTest, ListsUnchangedEntriesIfAllRowsAreShown) {
  const std::string text = WriteComparison(Example(), LayoutOf(0));
  EXPECT_THAT(text, HasSubstr("+0.5 ± 2.0 MiB   0.45%  Load\n"));
  EXPECT_THAT(text, HasSubstr("-0.5 ± 1.0 MiB  -0.45%  Parse\n"));
  EXPECT_THAT(text, Not(HasSubstr("may be chance")));
}

TEST(WriteComparisonTest, LimitsTheRowsOfWhatChanged) {
  const std::string text = WriteComparison(Example(), LayoutOf(1));
  EXPECT_THAT(text, HasSubstr("Cache::Insert"));
  EXPECT_THAT(text, Not(HasSubstr("Pool::Grow")));
  EXPECT_THAT(text, HasSubstr("2 functions: may be chance"));
}

TEST(WriteComparisonTest, SaysWhereTheFirstFunctionsStartIfThereIsRoom) {
  Comparison comparison = Example();
  comparison.entries[0].file = "/src/cache/insert.cc";
  comparison.entries[0].line = 612;
  constexpr std::string_view kRow = "  Cache::Insert  insert.cc:612\n";
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10)), HasSubstr(kRow));
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10, 90)), HasSubstr(kRow));
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10, 70)),
              HasSubstr("  Cache::Insert\n"));
  comparison.by = CompareBy::kFile;
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10)),
              HasSubstr("  Cache::Insert\n"));
  comparison.by = CompareBy::kFunction;
  comparison.entries.clear();
  for (const char* name : {"f1", "f2", "f3", "f4", "f5"}) {
    comparison.entries.push_back(EntryOf(name, 9, 1, 0.5));
    comparison.entries.back().file = "/src/f.cc";
    comparison.entries.back().line = 7;
  }
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10)),
              AllOf(HasSubstr("  f4  f.cc:7\n"), HasSubstr("  f5\n")));
}

TEST(WriteComparisonTest, EndsWithTheNextCommands) {
  ComparisonLayout layout = LayoutOf(10);
  layout.commands = {"heapprof --callers=f\x1b", "heapprof info"};
  const std::string text = WriteComparison(Example(), layout);
  EXPECT_TRUE(text.ends_with(
      "\n\nNext:  heapprof --callers=f?\n       heapprof info\n"))
      << text;
}

TEST(WriteComparisonTest, DoesNotAddUpEntriesThatOverlap) {
  Comparison comparison = Example();
  comparison.is_cumulative = true;
  EXPECT_THAT(WriteComparison(comparison, LayoutOf(10)),
              HasSubstr("%  Pool::Grow\n" + std::string(44, ' ') +
                        "  2 functions: may"));
}

TEST(WriteComparisonTest, HintsAtMovedCode) {
  Comparison comparison = Example();
  comparison.entries[0].maybe_moved = "Pool::Grow";
  comparison.entries[1].maybe_moved = "Cache::Insert";
  const std::string text = WriteComparison(comparison, LayoutOf(10));
  EXPECT_THAT(text, HasSubstr("  moved from Pool::Grow?\n"));
  EXPECT_THAT(text, Not(HasSubstr("moved from Cache::Insert")));
}

TEST(WriteComparisonTest, FitsTheTerminal) {
  Comparison comparison = Example();
  comparison.entries[0].name = std::string(200, 'x');
  ComparisonLayout layout = LayoutOf(10, 80);
  layout.dumps.now[0].path = std::string(100, 'd') + "/new.heap";
  const std::string text = WriteComparison(comparison, layout);
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != text.npos;
       start = end + 1) {
    std::string line = text.substr(start, end - start);
    std::erase_if(line, [](char c) { return (c & 0xc0) == 0x80; });
    EXPECT_LE(line.size(), 80U) << line;
  }
  // Folders are left out first.
  EXPECT_THAT(text, HasSubstr("after   new.heap   server (build"));
  EXPECT_THAT(text, HasSubstr("2: may be chance"));
}

TEST(WriteComparisonTest, PutsTheProgramBelowALongPath) {
  ComparisonLayout layout = LayoutOf(10, 80);
  layout.dumps.now[0].path = std::string(50, 'd') + ".heap";
  EXPECT_THAT(WriteComparison(Example(), layout),
              HasSubstr("d.heap\n        server (build 5512aa01beef)   2023"));
}

TEST(WriteComparisonTest, SaysWhatIsExactUnknownOrAMean) {
  Comparison comparison = Example();
  comparison.sides.now = {.runs = 3, .period = 1, .is_exact = true};
  comparison.sides.base.period = 0;
  const std::string text = WriteComparison(comparison, LayoutOf(10));
  EXPECT_THAT(text, HasSubstr("110.0 MiB (exact) live, mean of 3 dumps; "
                              "without sampling\n"));
  EXPECT_THAT(text, HasSubstr("live; unknown sampling period\n"));
  EXPECT_THAT(text, HasSubstr("2 functions unchanged\n"));
}

TEST(WriteComparisonTest, CountsObjects) {
  Comparison comparison = Example();
  comparison.metric = Metric::kInuseObjects;
  comparison.total = EntryOf("total", 0, 0, 0);
  comparison.entries = {EntryOf("f", 12 / kMebibyte, 5 / kMebibyte, 0)};
  const std::string text = WriteComparison(comparison, LayoutOf(10));
  EXPECT_THAT(text, HasSubstr(" 0 objects live"));
  EXPECT_THAT(text, HasSubstr("     5     12      +7     0%  f\n"));
}

TEST(WriteComparisonTest, ColoursLargeChangesAndGreysNoise) {
  ComparisonLayout layout = LayoutOf(10);
  layout.color = true;
  const std::string text = WriteComparison(Example(), layout);
  EXPECT_THAT(text, HasSubstr("\x1b[1mbefore"));
  EXPECT_THAT(text, HasSubstr("\x1b[1;31m      new"));
  EXPECT_THAT(text, HasSubstr("\n  5.0 MiB       gone"));
  EXPECT_THAT(text, HasSubstr("\x1b[2m 95.0 MiB"));
  Comparison shrunk = Example();
  shrunk.entries[0] = EntryOf("f", 0, 20, 1);
  EXPECT_THAT(WriteComparison(shrunk, layout),
              HasSubstr("\x1b[1;36m 20.0 MiB"));
}

TEST(WriteComparisonTest, MakesNamesPrintable) {
  Comparison comparison = Example();
  comparison.entries[0].name = "evil\x1b[2J\n\xff";
  comparison.entries[0].maybe_moved = "gone\x1b]0;";
  ComparisonLayout layout = LayoutOf(10);
  layout.dumps.now[0] = {
      .path = "a\nb", .program = "p\x1b[1m", .build_id = "\x1b\x1b"};
  layout.heading = "function";
  const std::string text = WriteComparison(comparison, layout);
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, Not(HasSubstr("a\nb")));
}

}  // namespace
}  // namespace heapprof
