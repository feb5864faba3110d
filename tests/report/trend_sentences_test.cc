// SPDX-License-Identifier: Apache-2.0
#include "report/trend_sentences.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/mebibyte.h"
#include "support/trend_tables.h"

namespace heapprof {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

TEST(DumpsTextTest, SaysInWhichTimeTheyWereWritten) {
  TrendTable table = TrendTableOf({"app!a 1", "app!a 2", "app!a 3"});
  EXPECT_EQ(
      DumpsText(table),
      "3 dumps in 2 hours, 1970-01-01 01:00:00 to 1970-01-01 03:00:00 UTC");
  for (size_t i = 0; i < 3; ++i)
    table.dumps[i].time_ns = static_cast<int64_t>(i + 1) * 1000;
  EXPECT_EQ(DumpsText(table),
            "3 dumps within a second, 1970-01-01 00:00:00 UTC");
  table.dumps.back().sequence = 5;
  EXPECT_EQ(DumpsText(table),
            "3 of 6 dumps within a second, 1970-01-01 00:00:00 UTC");
}

TEST(TrendSentenceTest, SaysWhatGrows) {
  EXPECT_EQ(TrendSentence(LeakingTable()),
            "grows by 1.0 MiB/h in main;leak; at this rate, the process holds "
            "128 MiB in 4 days");
}

// What is said of a process in which b grows `times` as fast as a.
std::string SentenceOnTwo(int times) {
  std::vector<std::string> dumps;
  for (int i = 1; i <= 8; ++i)
    dumps.push_back(fmt::format("app!a {}\napp!b {}", i, times * i));
  return TrendSentence(TrendTableOf(dumps));
}

TEST(TrendSentenceTest, SaysThatTheTotalGrowsFaster) {
  EXPECT_EQ(SentenceOnTwo(2),
            "grows by 3.0 MiB/h in all, 2.0 MiB/h of it in b and in 1 more; at "
            "this rate, the process holds 64 MiB in 13 hours");
  EXPECT_THAT(SentenceOnTwo(6),
              StartsWith("grows by 7.0 MiB/h in all, 6.0 MiB/h of "
                         "it in b and in 1 more; "));
  EXPECT_THAT(SentenceOnTwo(8),
              StartsWith("grows by 8.0 MiB/h in b and in 1 more; "));
}

TEST(TrendSentenceTest, SaysWhatHasGrownIfItMayHaveStopped) {
  TrendTable table = TrendTableOf({"app!a 1", "app!a 3", "app!a 5", "app!a 7",
                                   "app!a 11", "app!a 8", "app!a 12"});
  EXPECT_THAT(TrendSentence(table),
              MatchesRegex("has grown by .*/h in a; more dumps would tell "
                           "whether it still does"));
  table.sampling_period = 1 << 19;
  EXPECT_THAT(TrendSentence(table),
              MatchesRegex("has grown by .*/h in a; more dumps, or a smaller "
                           "lg_prof_sample, would tell whether it still "
                           "does"));
}

TEST(TrendSentenceTest, NamesWhatHasGrownMost) {
  std::vector<std::string> dumps;
  for (const int i : {1, 3, 5, 7, 11, 8, 12})
    dumps.push_back(fmt::format("app!a {}\napp!b {}", i, 90 + i / 2));
  EXPECT_THAT(TrendSentence(TrendTableOf(dumps)),
              MatchesRegex("has grown by .*/h in a; .*"));
}

TEST(TrendSentenceTest, SaysWhatGrewAtOnce) {
  EXPECT_EQ(TrendSentence(TrendTableOf(
                {"app!a 1", "app!a 1", "app!a 1", "app!a 1", "app!a 1",
                 "app!a 1", "app!a 1", "app!a 1", "app!a 1", "app!a 9"})),
            "has grown from 1.0 MiB to 9.0 MiB in a; more dumps would tell "
            "whether it still does");
}

TEST(TrendSentenceTest, LooksAheadByAllThatGrows) {
  // The total rises and falls; a and b grow by 1 and 2 MiB/h.
  std::vector<std::string> dumps;
  for (int i = 1; i <= 8; ++i)
    dumps.push_back(fmt::format("app!a {}\napp!b {}\napp!c {}", i, 2 * i,
                                i % 2 == 0 ? 90 : 10));
  // 114 MiB are held, 256 MiB in 142/3 hours.
  EXPECT_EQ(TrendSentence(TrendTableOf(dumps)),
            "grows by 2.0 MiB/h in b and in 1 more; at this rate, the process "
            "holds 256 MiB in 47 hours");
}

TEST(TrendSentenceTest, SaysThatNothingGrows) {
  EXPECT_EQ(TrendSentence(TrendTableOf(
                {"app!a 5", "app!a 5", "app!a 5", "app!a 5", "app!a 5"})),
            "nothing is proven to grow: the total is steady, 0 B/h");
  std::vector<std::string> dumps(8, "app!a 5000000");
  dumps.push_back("app!a 100");
  EXPECT_THAT(TrendSentence(TrendTableOf(dumps)),
              StartsWith("nothing is proven to grow: the total has dropped, "));
}

TEST(TrendSentenceTest, SaysHowToTellCallersApart) {
  TrendTable table = LeakingTable();
  for (TrendRow& row : table.rows) row.label = TrendLabel::kUnclear;
  table.by = TrendBy::kFunction;
  EXPECT_THAT(TrendSentence(table),
              HasSubstr(" in all, though nothing alone is proven to grow; --by "
                        "stack tells callers apart; at this rate, "));
  table.by = TrendBy::kStack;
  EXPECT_THAT(TrendSentence(table), Not(HasSubstr("--by")));
}

TEST(TrendSentenceTest, SaysThatThereAreFewDumps) {
  EXPECT_EQ(TrendSentence(LeakingTable(3)),
            "3 dumps are too few to tell a trend: 5 would do");
}

// The sentence about 512 MiB that grow by so many MiB in an hour, in `name`.
std::string SentenceOnGrowth(double rate, std::string_view name = "leak") {
  std::vector<std::string> dumps;
  for (int i = 0; i < 8; ++i)
    dumps.push_back(
        fmt::format("app!{} {}\napp!stays 511", name, 1 + i * rate));
  return TrendSentence(TrendTableOf(dumps));
}

TEST(TrendSentenceTest, LooksAheadForACentury) {
  EXPECT_THAT(SentenceOnGrowth(0.1),
              EndsWith("the process holds 2 GiB in 640 days"));
  EXPECT_THAT(SentenceOnGrowth(0.002),
              EndsWith("the process holds 2 GiB in 88 years"));
  EXPECT_THAT(SentenceOnGrowth(0.0015), Not(HasSubstr("holds")));
}

TEST(TrendSentenceTest, ShortensNames) {
  const std::string name(60, 'f');
  EXPECT_THAT(SentenceOnGrowth(1, name), HasSubstr(" in " + name + ';'));
  EXPECT_THAT(SentenceOnGrowth(1, name + "g"), Not(HasSubstr(name)));
  EXPECT_THAT(SentenceOnGrowth(1, name + "::Cache::Insert"),
              HasSubstr(" in …::Cache::Insert;"));
}

const TrendLimit kLimit = {.rate = kMebibyte, .text = "growth>1MiB/h"};

std::string SentenceOn(TrendJudgement judgement, uint64_t sampling_period = 1) {
  TrendTable table = LeakingTable();
  table.sampling_period = sampling_period;
  return JudgementSentence({.name = "app.7",
                            .program = "",
                            .table = std::move(table),
                            .judgement = std::move(judgement)},
                           kLimit);
}

// On the first row, which `needed` times as much would prove.
TrendJudgement Unproven(double needed) {
  return {.verdict = Verdict::kInconclusive,
          .findings = {
              {.row = 0, .verdict = Verdict::kInconclusive, .needed = needed}}};
}

TEST(JudgementSentenceTest, NamesTheWorstFinding) {
  TrendJudgement judgement = Unproven(4);
  judgement.findings.push_back(
      {.row = std::nullopt, .verdict = Verdict::kRegression});
  EXPECT_EQ(SentenceOn(judgement),
            "regression: growth>1MiB/h: total by +1.0 MiB/h");
  judgement.findings.push_back({.row = 0, .verdict = Verdict::kRegression});
  EXPECT_EQ(SentenceOn(judgement),
            "regression: growth>1MiB/h: main;leak by +1.0 MiB/h");
}

TEST(JudgementSentenceTest, SaysWhatWouldProveIt) {
  EXPECT_EQ(SentenceOn(Unproven(4)),
            "inconclusive: growth>1MiB/h: main;leak by +1.0 MiB/h, which is "
            "not proven; 32 dumps over 4.0 times as long would do");
  EXPECT_THAT(SentenceOn(Unproven(4), 1 << 19),
              EndsWith("32 dumps over 4.0 times as long would do, or "
                       "lg_prof_sample smaller by 2"));
  EXPECT_THAT(SentenceOn(Unproven(100), 1 << 19),
              EndsWith("800 dumps over 100.0 times as long would do, or "
                       "lg_prof_sample smaller by 7"));
  EXPECT_EQ(SentenceOn(Unproven(101)),
            "inconclusive: growth>1MiB/h: main;leak by +1.0 MiB/h, which is "
            "within the noise");
}

TEST(JudgementSentenceTest, SaysWhichRateIsNotProven) {
  TrendSeries series = {
      .name = "app.7",
      .program = "",
      .table = TrendTableOf({"app!a 0", "app!a 4", "app!a 8", "app!a 12",
                             "app!a 16", "app!a 16", "app!a 18", "app!a 20"}),
      .judgement = Unproven(4)};
  EXPECT_THAT(JudgementSentence(series, kLimit),
              MatchesRegex("inconclusive: growth>1MiB/h: a by .2.8 ± .* MiB/h, "
                           "lately by .1.0 ± .* MiB/h, which is not proven; "
                           ".*"));
}

TEST(JudgementSentenceTest, SaysWhatCouldHaveBeenProven) {
  EXPECT_EQ(SentenceOn({.provable = 4 * kMebibyte}), "ok: no growth>1MiB/h");
  EXPECT_EQ(SentenceOn({.provable = 4.5 * kMebibyte}),
            "ok: no growth>1MiB/h; these dumps would prove growth of the total "
            "only from 4.5 MiB/h on");
}

TEST(JudgementSentenceTest, NeedsDumps) {
  EXPECT_EQ(JudgementSentence(
                {.name = "app.7",
                 .program = "",
                 .table = LeakingTable(3),
                 .judgement = TrendJudgement{.verdict = Verdict::kInconclusive,
                                             .has_few_dumps = true}},
                kLimit),
            "inconclusive: growth>1MiB/h needs 5 dumps or more, found 3");
}

TEST(TrendHeadlineTest, CountsProcesses) {
  TrendReport report = {.limit = kLimit};
  const auto add = [&report](TrendJudgement judgement) {
    report.series.push_back({.name = "app.7",
                             .program = "",
                             .table = LeakingTable(),
                             .judgement = std::move(judgement)});
  };
  add({});
  EXPECT_EQ(TrendHeadline(report), "ok: no growth>1MiB/h");
  add({.verdict = Verdict::kRegression});
  EXPECT_EQ(TrendHeadline(report), "growth>1MiB/h: 1 of 2 processes fails");
  add(Unproven(4));
  EXPECT_EQ(TrendHeadline(report),
            "growth>1MiB/h: 1 of 3 processes fails, 1 is inconclusive");
  add(Unproven(4));
  add({.verdict = Verdict::kRegression});
  EXPECT_EQ(TrendHeadline(report),
            "growth>1MiB/h: 2 of 5 processes fail, 2 are inconclusive");
}

}  // namespace
}  // namespace heapprof
