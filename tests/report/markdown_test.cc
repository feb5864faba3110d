// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/markdown.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof::markdown_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr double kMiB = 1 << 20;

OverviewRow HolderRow(std::string name, double percent) {
  return {.name = std::move(name),
          .cell = {.change = {.now = {.value = percent * kMiB}}},
          .percent = percent,
          .cumulative_percent = percent};
}

MarkdownReport ExampleReport() {
  MarkdownReport report = {
      .dumps = {"/tmp/a.heap"},
      .overview = {.program = "/srv/bin/server",
                   .time_seconds = 1700000000,
                   .sampling_period = 524288,
                   .total = 100 * kMiB,
                   .shown = 100 * kMiB,
                   .objects = 4711.9,
                   .own = {.rows = {HolderRow("app::Load", 60),
                                    HolderRow("f|g", 30)},
                           .unassigned = HolderRow("(no call)", 10)},
                   .allocating = {.rows = {HolderRow("std::grow", 100)}}},
      .total = {.change = {.now = {.value = 100 * kMiB}},
                .interval = Interval{97 * kMiB, 103 * kMiB}},
      .traces = {.labels = {"app::Load src/load.cc:7", "main src/main.cc:3"},
                 .frames = {0, 1},
                 .traces = {{.first = 0, .count = 2, .value = 60 * kMiB}}},
      .commands = {"heapprof --callers=app::Load /tmp/a.heap"},
      .most_bytes = 16000};
  report.overview.story = {{.frames = {"Run", "app::Load"},
                            .file = "/src/load.cc",
                            .line = 7,
                            .cell = report.overview.own.rows[0].cell,
                            .percent = 60}};
  return report;
}

TEST(MarkdownTest, HasTotalStoryTablesStacksAndCommands) {
  EXPECT_EQ(WriteMarkdown(ExampleReport()),
            "# `server`: 100.0 ± 3.0 MiB live\n\n"
            "`/tmp/a.heap`, 2023-11-14 22:13:20 UTC, one sample per 512 KiB, "
            "4711 objects\n\n"
            "* **60.0%** `Run → app::Load, load.cc:7`\n\n"
            "| self | share | with callees | Your code, with libraries it "
            "calls |\n|--:|--:|--:|---|\n"
            "| 60.0 MiB | 60.0% | 60.0% | `app::Load` |\n"
            "| 30.0 MiB | 30.0% | 30.0% | `f\\|g` |\n"
            "| 10.0 MiB | 10.0% | 10.0% | (no call) |\n\n"
            "| self | share | Functions that allocate |\n|--:|--:|---|\n"
            "| 100.0 MiB | 100% | `std::grow` |\n\n"
            "The largest stacks, innermost call first:\n\n"
            "60.0 MiB, 60.0%\n\n```\n"
            "app::Load src/load.cc:7\nmain src/main.cc:3\n```\n\n"
            "To go deeper:\n\n```\n"
            "heapprof --callers=app::Load /tmp/a.heap\n```\n");
}

TEST(MarkdownTest, SaysHowLargeTheObjectsAreIfThatIsKnown) {
  MarkdownReport report = ExampleReport();
  report.overview.own.rows[0].objects = 60 * 1024;
  EXPECT_THAT(
      WriteMarkdown(report),
      HasSubstr("| self | share | with callees | mean size | Your code, "
                "with libraries it calls |\n"
                "|--:|--:|--:|--:|---|\n"
                "| 60.0 MiB | 60.0% | 60.0% | 1.0 KiB | `app::Load` |\n"
                "| 30.0 MiB | 30.0% | 30.0% |  | `f\\|g` |\n"));
}

TEST(MarkdownTest, SumsUpTheOtherRowsIfTheyAddUp) {
  MarkdownReport report = ExampleReport();
  report.overview.own = {};
  report.overview.cumulative.rows.assign(13, HolderRow("caller", 90));
  report.overview.allocating.rows.assign(7, HolderRow("callee", 10));
  const std::string text = WriteMarkdown(report);
  EXPECT_THAT(text, HasSubstr("| with callees | share | Functions, with what "
                              "they call |\n|--:|--:|---|\n"));
  EXPECT_THAT(text, HasSubstr("| `caller` |\n"));
  EXPECT_THAT(text, Not(HasSubstr("3 more functions")));
  EXPECT_THAT(text, HasSubstr("| 20.0 MiB | 20.0% | 2 more functions |\n"));
}

TEST(MarkdownTest, HasATableOfGroups) {
  MarkdownReport report = ExampleReport();
  EXPECT_THAT(WriteMarkdown(report), Not(HasSubstr("Groups")));
  report.overview.groups.rows = {HolderRow("RocksDB", 100),
                                 HolderRow("[other]", 0)};
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("| held | share | Groups |\n|--:|--:|---|\n"
                        "| 100.0 MiB | 100% | `RocksDB` |\n"
                        "| 0 | 0% | `[other]` |\n"));
  report.overview.groups.rows.insert(report.overview.groups.rows.begin(), 120,
                                     HolderRow("gRPC", 1));
  EXPECT_THAT(WriteMarkdown(report), HasSubstr("| 0 | 0% | `[other]` |\n"));
}

// The last part says what a function does; the first ones may be left out.
TEST(MarkdownTest, ShortensNamesOnlyAsFarAsRowsStayDifferent) {
  const std::string space(130, 'n');
  MarkdownReport report = ExampleReport();
  report.overview.allocating.rows = {HolderRow(space + "::Table::Add", 60)};
  EXPECT_THAT(WriteMarkdown(report), HasSubstr("`…::Table::Add` |"));
  const std::string same(200, 't');
  report.overview.allocating.rows = {
      HolderRow("Add(" + same + "Left" + same + ")", 60),
      HolderRow("Add(" + same + "Right" + same + ")", 40)};
  const std::string text = WriteMarkdown(report);
  EXPECT_THAT(text, HasSubstr("Left"));
  EXPECT_THAT(text, HasSubstr("Right"));
}

TEST(MarkdownTest, AComparisonHasBothSides) {
  MarkdownReport report = ExampleReport();
  report.bases = {"/tmp/old.heap"};
  report.is_comparison = true;
  report.total.change.base.value = 80 * kMiB;
  report.total.interval = Interval{17 * kMiB, 23 * kMiB};
  report.overview.own.rows[0].cell.change.base.value = 50 * kMiB;
  report.overview.own.rows[0].has_changed = true;
  const std::string text = WriteMarkdown(report);
  EXPECT_THAT(text, StartsWith("# `server`: 80.0 MiB → 100.0 MiB "
                               "(+20.0 ± 3.0 MiB) live\n\n"
                               "`/tmp/a.heap` compared with `/tmp/old.heap`"));
  EXPECT_THAT(text, HasSubstr("| 50.0 MiB | 60.0 MiB | +10.0 MiB | "
                              "`app::Load` |\n"
                              "| | | | (others: may be chance) |\n"));
  EXPECT_THAT(text, HasSubstr("The stacks that changed most"));
}

TEST(MarkdownTest, ADifferenceIsAComparisonWithoutABase) {
  MarkdownReport report = ExampleReport();
  report.is_comparison = true;
  report.total.change.base.value = 80 * kMiB;
  report.total.interval.reset();
  EXPECT_THAT(WriteMarkdown(report),
              StartsWith("# `server`: 80.0 MiB → 100.0 MiB (+20.0 MiB) live\n\n"
                         "the difference in `/tmp/a.heap`"));
}

TEST(MarkdownTest, SaysWhatFiltersLeave) {
  MarkdownReport report = ExampleReport();
  report.overview.shown = 60 * kMiB;
  report.left = {.change = {.now = {.value = 60 * kMiB}}};
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("\n\nThe filters leave 60.0 MiB of it.\n"));
  // In a comparison, filters may remove as much on both sides.
  report.is_comparison = true;
  report.bases = {"/tmp/old.heap"};
  report.left->change.base.value = 40 * kMiB;
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("\n\nThe filters leave 40.0 MiB → 60.0 MiB (+20.0 MiB) "
                        "of it.\n"));
}

TEST(MarkdownTest, OfUnchangedFunctionsAComparisonHasNeitherRowsNorStacks) {
  MarkdownReport report = ExampleReport();
  report.bases = {"/tmp/old.heap"};
  report.is_comparison = true;
  report.total.interval = Interval{-3 * kMiB, 3 * kMiB};
  report.overview.story.clear();
  report.overview.groups.rows = {HolderRow("Cache", 90),
                                 HolderRow("[other]", 10)};
  const std::string text = WriteMarkdown(report);
  EXPECT_THAT(text, Not(HasSubstr("| `app::Load` |")));
  EXPECT_THAT(text, Not(HasSubstr("stacks")));
  // The few groups are always shown.
  EXPECT_THAT(text, HasSubstr("| `[other]` |"));
}

TEST(MarkdownTest, SaysWhichOfSeveralDumpsItIsAbout) {
  MarkdownReport report = ExampleReport();
  report.dumps = {"a.heap", "b.heap", "c.heap"};
  const auto expect = [&report](std::string_view text) {
    EXPECT_THAT(WriteMarkdown(report),
                HasSubstr(fmt::format("\n\n{}, 2023-11-14", text)));
  };
  expect("the sum of 3 dumps (`a.heap` and 2 more)");
  report.latest = 1;
  expect("the last of 3 dumps (`a.heap` and 2 more)");
  report.at_end = 1;
  expect(
      "dump 2 of 3, before the program freed its memory (`a.heap` and 2 more)");
  report.latest = 2;
  expect("the last dumps of 2 processes (`a.heap` and 2 more)");
}

TEST(MarkdownTest, SaysThatSeveralRunsAreAveraged) {
  MarkdownReport report = ExampleReport();
  report.dumps = {"new.1.heap", "new.2.heap"};
  report.bases = {"old.1.heap", "old.2.heap", "old.3.heap"};
  report.is_comparison = true;
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("the mean of `new.1.heap` and 1 more compared with the "
                        "mean of `old.1.heap` and 2 more,"));
}

TEST(MarkdownTest, FormatsChangesAsOnATerminal) {
  MarkdownReport report = ExampleReport();
  report.bases = {"/tmp/old.heap"};
  report.is_comparison = true;
  report.total = {.change = {.now = {100 * kMiB, 0}, .base = {100 * kMiB, 0}},
                  .interval = Interval{-3 * kMiB, 3 * kMiB}};
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("100.0 MiB → 100.0 MiB (0.0 ± 3.0 MiB) live"));
  report.overview.metric = Metric::kInuseObjects;
  report.total = {.change = {.now = {17.25, 0}, .base = {17, 0}}};
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("17 objects → 17 objects (0) live"));
}

TEST(MarkdownTest, SaysThatNoChangeIsProven) {
  MarkdownReport report = ExampleReport();
  report.bases = {"/tmp/old.heap"};
  report.is_comparison = true;
  report.total.interval = Interval{-3 * kMiB, 3 * kMiB};
  const auto story = std::exchange(report.overview.story, {});
  constexpr const char* kSentence = "\n\nAll changes may be chance.\n";
  EXPECT_THAT(WriteMarkdown(report), HasSubstr(kSentence));
  report.overview.own.rows[1].has_changed = true;
  EXPECT_THAT(WriteMarkdown(report), Not(HasSubstr(kSentence)));
  report.overview.own.rows[1].has_changed = false;
  report.total.interval = Interval{kMiB, 3 * kMiB};
  EXPECT_THAT(WriteMarkdown(report), Not(HasSubstr(kSentence)));
  report.total.interval = Interval{-kMiB, 3 * kMiB};
  report.overview.story = story;
  EXPECT_THAT(WriteMarkdown(report), Not(HasSubstr(kSentence)));
}

TEST(MarkdownTest, FitsItsBudget) {
  MarkdownReport report = ExampleReport();
  report.overview.own.rows.assign(50, HolderRow(std::string(100, 'x'), 2));
  report.traces.traces.assign(20, report.traces.traces[0]);
  for (const size_t most : {3000U, 2000U, 1000U, 700U}) {
    report.most_bytes = most;
    const std::string text = WriteMarkdown(report);
    EXPECT_LE(text.size(), most);
    EXPECT_THAT(text, StartsWith("# `server`: 100.0 ± 3.0 MiB live\n"));
    EXPECT_THAT(text, HasSubstr("To go deeper"));
  }
}

TEST(MarkdownTest, LeavesOutTheMiddleOfDeepStacks) {
  MarkdownReport report = ExampleReport();
  report.traces.labels.clear();
  report.traces.frames.clear();
  for (uint32_t i = 0; i < 40; ++i) {
    report.traces.labels.push_back(fmt::format("f{} a.cc:{}", i, i + 1));
    report.traces.frames.push_back(i);
  }
  report.traces.traces[0].count = 40;
  const std::string text = WriteMarkdown(report);
  EXPECT_THAT(text, HasSubstr("f9 a.cc:10\n… 28 more\nf38 a.cc:39\n"
                              "f39 a.cc:40\n```\n"));
}

TEST(MarkdownTest, ShowsOwnCodeOfDeepStacks) {
  MarkdownReport report = ExampleReport();
  report.traces.labels.clear();
  report.traces.frames.clear();
  for (uint32_t i = 0; i < 30; ++i) {
    const bool is_own = i == 12 || (i >= 14 && i < 17) || i == 19;
    report.traces.labels.push_back(fmt::format("f{}", i));
    report.traces.is_own.push_back(is_own);
    report.traces.frames.push_back(i);
  }
  report.traces.traces[0].count = 30;
  EXPECT_THAT(WriteMarkdown(report),
              HasSubstr("```\nf0\nf1\nf2\nf3\nf4\n… 7 more\n"
                        "f12\nf13\nf14\nf15\nf16\n… 2 more\nf19\n"
                        "… 8 more\nf28\nf29\n```\n"));
}

TEST(MarkdownTest, NamesHaveNoMeaningInMarkdown) {
  MarkdownReport report = ExampleReport();
  report.overview.own.rows[0].name = "a``b";
  report.traces.labels[0] = "````x";
  const std::string text = WriteMarkdown(report);
  EXPECT_THAT(text, HasSubstr("``` a``b ``` |"));
  EXPECT_THAT(text, HasSubstr("`````\n````x\n"));
  report.overview.own.rows[0].name = "a\nb\x1b[2J";
  EXPECT_THAT(WriteMarkdown(report), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace heapprof::markdown_test
