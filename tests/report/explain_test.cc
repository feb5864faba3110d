// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/explain.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int64_t kBlock = 1 << 20;

// Free regions are those of 1024 objects of 32 KiB each, to have round numbers.
Waterfall ExampleWaterfall() {
  Waterfall waterfall = {
      .is_rss = true, .total = 100 * kBlock, .jemalloc = 90 * kBlock};
  waterfall.lines = {
      {.kind = LineKind::kLive, .bytes = 68 * kBlock},
      {.kind = LineKind::kFreeRegions, .bytes = 32 * kBlock, .advice = "a < b"},
      {.kind = LineKind::kUntouched, .bytes = -10 * kBlock},
      {.kind = LineKind::kOther,
       .bytes = 10 * kBlock,
       .certainty = Certainty::kEstimate,
       .detail = "x | y"}};
  waterfall.classes = {{.small = {32768, 4, 1024, 512}, .used = 0.5}};
  waterfall.remarks = {{RemarkKind::kSwapped, "some <b> | `code`"}};
  return waterfall;
}

Waterfall GrownWaterfall() {
  Waterfall waterfall = ExampleWaterfall();
  waterfall.base_total = 70 * kBlock;
  waterfall.lines[0].base_bytes = 70 * kBlock;
  waterfall.lines[1].base_bytes = 5 * kBlock;
  waterfall.lines[2].base_bytes = -10 * kBlock;
  waterfall.lines[3].base_bytes = 5 * kBlock;
  waterfall.classes[0].base = {32768, 4, 352, 128};
  return waterfall;
}

SlabHolder Holder(std::string name) {
  return {.frames = {std::move(name), "Serve", "main", "_start"},
          .samples = 12,
          .objects = 500,
          .at_most = 16 * kBlock};
}

TEST(WriteExplainTextTest, AddsUpInOneUnit) {
  const std::string text = WriteExplainText(ExampleWaterfall(), {});
  EXPECT_THAT(text, HasSubstr("RSS 100.0 MiB = jemalloc 90.0 + other 10.0\n"));
  EXPECT_THAT(text, HasSubstr("never touched                      -10.0 MiB"));
  EXPECT_THAT(text, HasSubstr("    32 KiB       32.0 MiB     50.0%"));
}

TEST(WriteExplainTest, FormatsSharesAlike) {
  Waterfall waterfall = ExampleWaterfall();
  waterfall.lines[0].bytes = 20'000;
  waterfall.classes[0].used = 0.0003;
  EXPECT_THAT(WriteExplainText(waterfall, {}),
              AllOf(ContainsRegex("0\\.0 MiB +0\\.02% "),
                    HasSubstr("32.0 MiB     0.03%")));
  EXPECT_THAT(WriteExplainHtml(waterfall, "1.2"),
              AllOf(HasSubstr(">0.02%</td>"), HasSubstr(">0.03%</td>"),
                    HasSubstr(">100%</td>")));
  EXPECT_THAT(WriteExplainMarkdown(waterfall),
              AllOf(HasSubstr("| 0.02% |"), HasSubstr("| 0.03% |")));
}

// More is live than resident if most of it has never been touched.
TEST(WriteExplainTest, GivesNoShareAboveTheTotal) {
  Waterfall waterfall = ExampleWaterfall();
  waterfall.lines[0].bytes = 500 * kBlock;
  waterfall.lines[2].bytes = -442 * kBlock;
  EXPECT_THAT(WriteExplainText(waterfall, {}),
              AllOf(ContainsRegex("500\\.0 MiB +- "), Not(HasSubstr("500%"))));
  EXPECT_THAT(WriteExplainHtml(waterfall, "1.2"),
              AllOf(HasSubstr(">-</td>"), Not(HasSubstr("500%"))));
  EXPECT_THAT(WriteExplainMarkdown(waterfall), HasSubstr("| 500.0 | - |"));
}

TEST(WriteExplainTextTest, ShowsChanges) {
  const std::string text = WriteExplainText(GrownWaterfall(), {});
  EXPECT_THAT(text, HasSubstr("RSS grew by 30.0 MiB, from 70.0 to 100.0 MiB, "
                              "most in free regions in slabs\n(+27.0)\n"));
  EXPECT_THAT(text,
              HasSubstr("live heap                         70.0     68.0  "
                        "    -2.0 MiB"));
  EXPECT_THAT(text,
              HasSubstr("never touched                    -10.0    -10.0  "
                        "     0.0 MiB"));
  EXPECT_THAT(text, HasSubstr("32 KiB        5.0       32.0     +27.0 MiB"));
  Waterfall same = GrownWaterfall();
  same.base_total = same.total;
  EXPECT_THAT(WriteExplainText(same, {}), HasSubstr("RSS stayed at 100.0 MiB"));
}

TEST(WriteExplainTextTest, DrawsNoBarsOfWhatIsWrittenAsZero) {
  constexpr int64_t kPage = 4096;
  Waterfall waterfall = ExampleWaterfall();
  waterfall.base_total = waterfall.total - kPage;
  for (WaterfallLine& line : waterfall.lines) line.base_bytes = line.bytes;
  waterfall.lines[0].base_bytes -= kPage;
  EXPECT_THAT(WriteExplainText(waterfall, {}), Not(HasSubstr("█")));
  EXPECT_THAT(WriteExplainHtml(waterfall, "1.2"),
              Not(HasSubstr("<rect width=\"200.0\"")));
}

// The lines still add up to the headline.
TEST(WriteExplainTextTest, SumsUpSmallLinesIfTheTerminalIsLow) {
  Waterfall waterfall = ExampleWaterfall();
  waterfall.lines[0].bytes -= 3 * kBlock;
  waterfall.lines.push_back({.kind = LineKind::kFiles, .bytes = 2 * kBlock});
  waterfall.lines.push_back({.kind = LineKind::kShared, .bytes = kBlock});
  const std::string all = WriteExplainText(waterfall, {});
  const auto lines = static_cast<size_t>(std::ranges::count(all, '\n'));
  EXPECT_EQ(WriteExplainText(waterfall, {.rows = lines + 1}), all);
  const std::string shorter = WriteExplainText(waterfall, {.rows = lines});
  EXPECT_THAT(shorter, HasSubstr("RSS 100.0 MiB"));
  EXPECT_THAT(shorter, HasSubstr("never touched                      -10.0"));
  EXPECT_THAT(shorter,
              HasSubstr("\n  2 more lines                         3.0"));
  EXPECT_THAT(shorter, HasSubstr("What acts on it"));
  EXPECT_THAT(shorter, HasSubstr("\n\n  --verbose shows all lines"));
  EXPECT_THAT(shorter, Not(HasSubstr("files")));
  EXPECT_THAT(shorter, Not(HasSubstr("What limits")));
  const size_t fewest = static_cast<size_t>(std::ranges::count(shorter, '\n'));
  EXPECT_THAT(WriteExplainText(waterfall, {.rows = fewest + 1}),
              HasSubstr("What acts on it"));
  EXPECT_THAT(WriteExplainText(waterfall, {.rows = fewest}),
              Not(HasSubstr("What acts on it")));
}

TEST(WriteExplainTextTest, SumsUpSmallChangesIfTheTerminalIsLow) {
  const std::string text = WriteExplainText(GrownWaterfall(), {.rows = 10});
  EXPECT_THAT(text, HasSubstr("free regions in slabs"));
  EXPECT_THAT(text, HasSubstr("live heap "));
  EXPECT_THAT(text, Not(HasSubstr("never touched")));
  EXPECT_THAT(text, HasSubstr("\n  1 more line                      -10.0    "
                              "-10.0       0.0 MiB\n"));
}

TEST(WriteExplainTextTest, SaysWhatIsKnownOfStacks) {
  Waterfall waterfall = GrownWaterfall();
  waterfall.classes[0].holders = {Holder("Open"), Holder("Close")};
  EXPECT_THAT(
      WriteExplainText(waterfall, {}),
      AllOf(HasSubstr("Who has objects of 32 KiB"),
            HasSubstr("      500       12          16.0  Open < Serve < "
                      "main\n")));
  waterfall.classes[0].holders[0].added_share = 0.5;
  waterfall.classes[0].holders[0].added_objects = 300;
  EXPECT_THAT(WriteExplainText(waterfall, {}),
              AllOf(HasSubstr("Who has more objects of 32 KiB than before"),
                    HasSubstr("  13.5  50.0%    300       12  Open < Serve < "
                              "main\n"),
                    Not(HasSubstr("Close"))));
  waterfall.classes[0].holders[1].kept = KeptShare{0.75, {0.5, 0.9}, 20};
  ReplayFit fit = {.fits = true, .objects = 99, .live = 40, .older = 2};
  waterfall.classes[0].replay = fit;
  EXPECT_THAT(
      WriteExplainText(waterfall, {}),
      AllOf(HasSubstr("a replay of 99 sampled objects, 40 of\nthem live"),
            HasSubstr("  24.0  75.0%  50 to 90       20  Close < "),
            Not(HasSubstr("Open"))));
  // What the log lacks may keep more.
  waterfall.classes[0].replay->older = 3;
  EXPECT_THAT(WriteExplainText(waterfall, {}), Not(HasSubstr("24.0  75.0%")));
  waterfall.classes[0].replay->fits = false;
  EXPECT_THAT(WriteExplainText(waterfall, {}), Not(HasSubstr("replay of")));
}

TEST(WriteExplainHtmlTest, EscapesTextAndLoadsNothing) {
  Waterfall waterfall = GrownWaterfall();
  waterfall.classes[0].holders = {Holder("f<i>&\"x")};
  const std::string page = WriteExplainHtml(waterfall, "1.2");
  EXPECT_THAT(page, AllOf(HasSubstr("a &#60; b"), HasSubstr("some &#60;b&#62;"),
                          HasSubstr("f&#60;i&#62;&#38;"),
                          HasSubstr("<td class=\"number\">+27.0</td>"),
                          HasSubstr("default-src 'none'")));
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<b>")), Not(HasSubstr("<i>")),
                          Not(HasSubstr("<script")), Not(HasSubstr("http://")),
                          Not(HasSubstr("style=\""))));
}

// So that a file attached to a ticket tells what it is about.
TEST(WriteExplainTest, SaysOfWhichDumpAttachedReportsAre) {
  Waterfall waterfall = ExampleWaterfall();
  waterfall.subject = "a<b.heap, 2026-11-29 16:13:12 UTC";
  EXPECT_THAT(WriteExplainHtml(waterfall, "1.2"),
              HasSubstr(">a&#60;b.heap, 2026-11-29 16:13:12 UTC</p>\n"));
  EXPECT_THAT(
      WriteExplainMarkdown(waterfall),
      HasSubstr("other 10.0\n\n`a<b.heap, 2026-11-29 16:13:12 UTC`\n\n"));
}

TEST(WriteExplainHtmlTest, SaysTheUnitOfFreeRegions) {
  EXPECT_THAT(WriteExplainHtml(ExampleWaterfall(), "1.2"),
              HasSubstr(">free, MiB</th>"));
  EXPECT_THAT(WriteExplainHtml(GrownWaterfall(), "1.2"),
              HasSubstr(">change, MiB</th>"));
}

TEST(WriteExplainMarkdownTest, EscapesTextAndKeepsColumns) {
  Waterfall waterfall = ExampleWaterfall();
  waterfall.classes[0].holders = {Holder("f|g`h")};
  const std::string text = WriteExplainMarkdown(waterfall);
  EXPECT_THAT(text, AllOf(HasSubstr("# RSS 100.0 MiB = jemalloc 90.0"),
                          HasSubstr("some \\<b\\> \\| \\`code\\`"),
                          HasSubstr("| `` f\\|g`h < Serve < main `` |"),
                          HasSubstr("| 100.0 | 100% | **RSS** | |")));
}

TEST(WriteExplainJsonTest, HasNullsWithoutABase) {
  EXPECT_THAT(
      WriteExplainJson(ExampleWaterfall()),
      AllOf(HasSubstr("\"base_total_bytes\": null"),
            HasSubstr("\"base_bytes\": null"), HasSubstr("\"replay\": null")));
  EXPECT_THAT(WriteExplainJson(GrownWaterfall()),
              HasSubstr("\"base_total_bytes\": 73400320"));
}

}  // namespace
}  // namespace heapprof
