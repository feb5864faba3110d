// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trend_table.h"

#include <gtest/gtest.h>

#include "support/trend_tables.h"

namespace heapprof {
namespace {

constexpr double kMebibyte = 1048576;

TEST(MakeTrendTableTest, PutsGrowthFirst) {
  const TrendTable table =
      TrendTableOf(LeakingDumps(8), {.by = CompareBy::kStack});
  EXPECT_EQ(table.axis, TrendAxis::kHours);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].key, "main;leak");
  EXPECT_EQ(table.rows[0].label, TrendLabel::kGrowing);
  EXPECT_NEAR(table.rows[0].trend.all.value, kMebibyte, 1);
  EXPECT_EQ(table.rows[0].first(), 10 * kMebibyte);
  EXPECT_EQ(table.rows[0].last(), 17 * kMebibyte);
  EXPECT_EQ(table.rows[1].label, TrendLabel::kSteady);
  EXPECT_EQ(table.total.label, TrendLabel::kGrowing);
  EXPECT_EQ(table.total.peak, 37 * kMebibyte);
}

TEST(MakeTrendTableTest, LeavesOutRowsThatHoldNextToNothing) {
  const TrendTable table =
      TrendTableOf({"app!a 1000\napp!b 0.1", "app!a 1000\napp!b 0.2"},
                   {.by = CompareBy::kStack});
  EXPECT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.small, 1u);
}

TEST(MakeTrendTableTest, CountsWhatADumpLacksAsNothing) {
  const TrendTable table =
      TrendTableOf({"app!a 1", "app!a 1\napp!b 2"}, {.by = CompareBy::kStack});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].key, "b");
  EXPECT_EQ(table.rows[0].first(), 0);
  EXPECT_EQ(table.rows[0].last(), 2 * kMebibyte);
}

TEST(MakeTrendTableTest, HasNoErrorsIfAllAllocationsWereSampled) {
  const TrendTable table = TrendTableOf(LeakingDumps(6));
  for (const SeriesPoint& point : table.total.points)
    EXPECT_EQ(point.bytes.variance, 0);
}

TEST(TrendAxisTest, NeedsTimesThatIncrease) {
  constexpr int64_t kSecond = 1000000000;
  const auto axis = [](const std::vector<int64_t>& seconds) {
    std::vector<TrendDump> dumps;
    for (const int64_t second : seconds)
      dumps.push_back({.path = "a", .time_ns = second * kSecond});
    return DefaultAxis(dumps);
  };
  EXPECT_EQ(axis({10, 20, 30}), TrendAxis::kHours);
  // The last two were written at the same time.
  EXPECT_EQ(axis({10, 20, 19}), TrendAxis::kHours);
  EXPECT_EQ(axis({10, 10, 10}), TrendAxis::kDumps);
  EXPECT_EQ(axis({10, 30, 20}), TrendAxis::kDumps);
  EXPECT_EQ(axis({0, 10, 20}), TrendAxis::kDumps);
  EXPECT_EQ(axis({10}), TrendAxis::kDumps);
}

TEST(TrendAxisTest, TakesWhatWasAllocatedInstead) {
  const std::vector<TrendDump> dumps = {{.path = "a", .allocated = 0x1p30},
                                        {.path = "b", .allocated = 0x1p31}};
  EXPECT_EQ(DefaultAxis(dumps), TrendAxis::kGigabytes);
}

}  // namespace
}  // namespace heapprof
