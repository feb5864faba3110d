// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/trend_gate.h"

#include <gtest/gtest.h>

#include "support/trend_tables.h"

namespace heapprof {
namespace {

constexpr double kMebibyte = 1048576;

TEST(ParseTrendLimitTest, ReadsARate) {
  const auto limit = ParseTrendLimit("growth > 1.5 MiB/h");
  ASSERT_TRUE(limit);
  EXPECT_EQ(limit->rate, 1.5 * kMebibyte);
  EXPECT_EQ(limit->axis, TrendAxis::kHours);
  EXPECT_EQ(limit->text, "growth > 1.5 MiB/h");
  EXPECT_EQ(ParseTrendLimit("growth>64KiB/dump")->axis, TrendAxis::kDumps);
  EXPECT_EQ(ParseTrendLimit("growth>1MiB/GiB")->axis, TrendAxis::kGigabytes);
  EXPECT_EQ(ParseTrendLimit("growth>1MiB/gib")->axis, TrendAxis::kGigabytes);
  EXPECT_EQ(ParseTrendLimit("growth>0/hour")->rate, 0);
}

TEST(ParseTrendLimitTest, RefusesWhatIsUnclear) {
  for (const char* text :
       {"", "growth>", "growth>1MiB", "growth>1/h", "growth>1MiB/d",
        "growth<1MiB/h", "1MiB/h", "growth>-1MiB/h", "growth>1MiB/h/h"})
    EXPECT_FALSE(ParseTrendLimit(text)) << text;
}

TrendJudgement JudgementOf(const std::vector<std::string>& dumps,
                           const char* limit) {
  return JudgeTrend(TrendTableOf(dumps, {.by = TrendBy::kStack}),
                    *ParseTrendLimit(limit));
}

TEST(JudgeTrendTest, FindsGrowthAboveTheLimit) {
  const TrendJudgement found = JudgementOf(LeakingDumps(8), "growth>0.5MiB/h");
  EXPECT_EQ(found.verdict, Verdict::kRegression);
  ASSERT_EQ(found.findings.size(), 2u);
  EXPECT_FALSE(found.findings[0].row);
  EXPECT_EQ(found.findings[1].row, 0u);
  EXPECT_EQ(StatusOfTrend(found.verdict), 1);
}

TEST(JudgeTrendTest, AllowsGrowthBelowTheLimit) {
  const TrendJudgement found = JudgementOf(LeakingDumps(8), "growth>2MiB/h");
  EXPECT_EQ(found.verdict, Verdict::kOk);
  EXPECT_TRUE(found.findings.empty());
  EXPECT_EQ(StatusOfTrend(found.verdict), 0);
}

TEST(JudgeTrendTest, KnowsWhichGrowthWouldBeProven) {
  EXPECT_NEAR(JudgementOf(LeakingDumps(8), "growth>2MiB/h").provable,
              2 * kMebibyte, 1);
  std::vector<std::string> dumps;
  for (const int mebibytes : {10, 30, 5, 28, 8, 35, 10, 33})
    dumps.push_back(fmt::format("app!main;app!a {}", mebibytes));
  const TrendJudgement found = JudgementOf(dumps, "growth>2MiB/h");
  EXPECT_GT(found.provable, 8 * kMebibyte);
  const Trend trend = TrendTableOf(dumps, {.by = TrendBy::kStack}).total.trend;
  for (const Slope& slope : {trend.all, trend.last_half, trend.without_last})
    EXPECT_LE(slope.value - LowerBound(slope, kTrendTail),
              found.provable - 2 * kMebibyte);
  // Growth that is so much faster is proven.
  int leaked = 0;
  for (std::string& dump : dumps) {
    leaked += static_cast<int>(found.provable / kMebibyte) + 1;
    dump += fmt::format("\napp!main;app!leak {}", leaked);
  }
  EXPECT_EQ(JudgementOf(dumps, "growth>2MiB/h").verdict, Verdict::kRegression);
}

TEST(JudgeTrendTest, DoesNotJudgeFewDumps) {
  const TrendJudgement found = JudgementOf(LeakingDumps(4), "growth>2MiB/h");
  EXPECT_TRUE(found.has_few_dumps);
  EXPECT_EQ(found.verdict, Verdict::kInconclusive);
  EXPECT_EQ(StatusOfTrend(found.verdict), 3);
}

TEST(JudgeTrendTest, SaysHowMuchMoreWouldProveGrowth) {
  // The values scatter so much that a rate just above the limit is not proven.
  std::vector<std::string> dumps;
  for (const int mebibytes : {10, 13, 11, 16, 12, 18, 15, 19})
    dumps.push_back(fmt::format("app!main;app!leak {}", mebibytes));
  const TrendJudgement found = JudgementOf(dumps, "growth>0.1MiB/h");
  EXPECT_EQ(found.verdict, Verdict::kInconclusive);
  ASSERT_FALSE(found.findings.empty());
  EXPECT_GT(found.findings[0].needed, 1);
}

TEST(JudgeTrendTest, DoesNotSuspectARowThatGrowsByChance) {
  // What one of them gains, the other loses.
  std::vector<std::string> dumps;
  for (const int mebibytes : {10, 30, 5, 28, 8, 35, 10, 33})
    dumps.push_back(fmt::format("app!main;app!a {}\napp!main;app!b {}",
                                mebibytes, 40 - mebibytes));
  EXPECT_EQ(JudgementOf(dumps, "growth>0/h").verdict, Verdict::kOk);
}

TEST(JudgeTrendTest, DoesNotSuspectGrowthOfOnlyTheLastDump) {
  std::vector<std::string> dumps;
  for (const int mebibytes : {10, 11, 12, 13, 14, 14, 13, 30})
    dumps.push_back(fmt::format("app!main;app!leak {}", mebibytes));
  EXPECT_EQ(JudgementOf(dumps, "growth>0/h").verdict, Verdict::kOk);
}

}  // namespace
}  // namespace heapprof
