// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/trend.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/trend_tables.h"

namespace heapprof {
namespace {

using testing::HasSubstr;

TrendReport ReportOf(TrendTable table) {
  TrendReport report;
  report.series.push_back(
      {.name = "app.7", .program = "/srv/app", .table = std::move(table)});
  return report;
}

TrendTable LeakingTable(int dumps = 8) {
  return TrendTableOf(LeakingDumps(dumps),
                      {.by = CompareBy::kStack, .heading = "stack"});
}

TEST(TrendSentenceTest, SaysWhatGrows) {
  EXPECT_EQ(TrendSentence(LeakingTable()),
            "grows by 1.0 MiB/h in main;leak; at this rate, the process holds "
            "128 MiB in 4 days");
}

TEST(TrendSentenceTest, SaysThatNothingGrows) {
  EXPECT_EQ(TrendSentence(TrendTableOf(
                {"app!a 5", "app!a 5", "app!a 5", "app!a 5", "app!a 5"})),
            "nothing is proven to grow: the total is steady, 0 B/h");
}

TEST(TrendSentenceTest, SaysThatThereAreFewDumps) {
  EXPECT_EQ(TrendSentence(LeakingTable(3)),
            "3 dumps are too few to tell a trend: 5 would do");
}

TEST(WriteTrendTextTest, DrawsDumpsAtEvenDistances) {
  EXPECT_THAT(WriteTrendText(ReportOf(LeakingTable(15)), {}),
              testing::HasSubstr("▄▄▅▆▆▇██"));
}

TEST(WriteTrendTextTest, ShowsATable) {
  EXPECT_EQ(
      WriteTrendText(ReportOf(LeakingTable()), {}),
      "app.7: grows by 1.0 MiB/h in main;leak; at this rate, the process holds "
      "128 MiB in 4 days\n"
      "8 dumps in 7.0 h, 1970-01-01 01:00:00 to 1970-01-01 08:00:00 UTC\n"
      "\n"
      "per hour     first      last      peak  course    trend    stack\n"
      "+1.0 MiB  30.0 MiB  37.0 MiB  37.0 MiB  ▇▇▇█████  growing  total\n"
      "+1.0 MiB  10.0 MiB  17.0 MiB  17.0 MiB  ▅▆▆▇▇███  growing  main;leak\n"
      "     0 B  20.0 MiB  20.0 MiB  20.0 MiB  ████████  steady   "
      "main;stays\n");
}

TEST(WriteTrendTextTest, GivesNamesTheirOwnLinesOnANarrowTerminal) {
  const std::string text =
      WriteTrendText(ReportOf(LeakingTable()), {.width = 80, .rows = 1});
  EXPECT_THAT(text, HasSubstr("growing\n        main;leak\n"));
  EXPECT_THAT(text, HasSubstr("and 1 more; --top=0 shows all\n"));
}

TEST(WriteTrendTextTest, BeginsWithTheVerdict) {
  TrendReport report = ReportOf(LeakingTable());
  report.limit = ParseTrendLimit("growth>64KiB/h");
  report.series[0].judgement =
      JudgeTrend(report.series[0].table, *report.limit);
  EXPECT_EQ(report.WorstVerdict(), Verdict::kRegression);
  EXPECT_THAT(
      WriteTrendText(report, {}),
      HasSubstr("\nregression: growth>64KiB/h: main;leak by +1.0 MiB/h\n"));
}

TEST(WriteTrendTextTest, ShowsNoControlCharacters) {
  TrendTable table = TrendTableOf({"app!a\x1b[31m 5", "app!a\x1b[31m 9"},
                                  {.by = CompareBy::kStack});
  EXPECT_EQ(WriteTrendText(ReportOf(std::move(table)), {}).find('\x1b'),
            std::string::npos);
}

TEST(WriteTrendCsvTest, QuotesFields) {
  TrendTable table = TrendTableOf({"app!a(int,\"b\") 5", "app!a(int,\"b\") 5"},
                                  {.by = CompareBy::kStack});
  const std::string csv = WriteTrendCsv(ReportOf(std::move(table)));
  EXPECT_THAT(csv, HasSubstr("process,name,label,per,rate"));
  EXPECT_THAT(csv, HasSubstr("\napp.7,\"a(int,\"\"b\"\")\",steady,hour,0,0,0"));
}

}  // namespace
}  // namespace heapprof
