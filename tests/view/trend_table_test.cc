// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/trend_table.h"

#include <gtest/gtest.h>

#include "heapprof/transform/collect_snapshots.h"
#include "heapprof/view/error_bars.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"
#include "support/trend_tables.h"

namespace heapprof {
namespace {

constexpr double kMebibyte = 1048576;

TEST(MakeTrendTableTest, PutsGrowthFirst) {
  const TrendTable table =
      TrendTableOf(LeakingDumps(8), {.by = TrendBy::kStack});
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

// Dumps 2, 3 and 4 of a process are missing.
TEST(MakeTrendTableTest, CountsTheDumpsThatAreMissing) {
  const std::vector<double> bytes = {0, kMebibyte, 5 * kMebibyte, 6 * kMebibyte,
                                     7 * kMebibyte};
  std::vector<TrendDump> dumps;
  for (const uint64_t sequence : {10, 11, 15, 16, 17})
    dumps.push_back({.path = "app", .sequence = sequence});
  const CountedRow total = {.bytes = bytes};
  EXPECT_NEAR(MakeTrendTable(total, {}, dumps, {}).total.trend.all.value,
              kMebibyte, 1);
  // Without numbers that rise, no dump is missing.
  for (TrendDump& dump : dumps) dump.sequence = 0;
  const TrendTable table = MakeTrendTable(total, {}, dumps, {});
  EXPECT_GT(table.total.trend.all.value, 1.5 * kMebibyte);
  EXPECT_EQ(table.dumps.back().sequence, 4u);
}

TEST(MakeTrendTableTest, LeavesOutRowsThatHoldNextToNothing) {
  const TrendTable table =
      TrendTableOf({"app!a 1000\napp!b 0.1", "app!a 1000\napp!b 0.2"},
                   {.by = TrendBy::kStack});
  EXPECT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.small, 1u);
  const auto rows_with = [](std::string_view b) {
    const std::string dump = fmt::format("app!a 1000\napp!b {}", b);
    return TrendTableOf({dump, dump}, {.by = TrendBy::kStack}).rows.size();
  };
  EXPECT_EQ(rows_with("1"), 1u);
  EXPECT_EQ(rows_with("1.1"), 2u);
}

TEST(MakeTrendTableTest, CountsWhatADumpLacksAsNothing) {
  const TrendTable table =
      TrendTableOf({"app!a 1", "app!a 1\napp!b 2"}, {.by = TrendBy::kStack});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].key, "b");
  EXPECT_EQ(table.rows[0].first(), 0);
  EXPECT_EQ(table.rows[0].last(), 2 * kMebibyte);
}

TEST(MakeTrendTableTest, HasNoErrorsIfAllAllocationsWereSampled) {
  const TrendTable table = TrendTableOf(LeakingDumps(6));
  for (const TrendRow& row : {table.total, table.rows.at(0)})
    for (const SeriesPoint& point : row.points)
      EXPECT_EQ(point.bytes.variance, 0);
}

// Three threads on one stack, one after the other: they had the same seed. What
// only one of them holds may have been missed in all.
TEST(MakeTrendTableTest, HasTheErrorBarsOfTheDumpsThemselves) {
  Profile dump = ProfileOf("app!main;app!f 300\napp!main;app!g 200");
  dump.sampling_period = 25;
  dump.thread_stacks = {1, 1};
  for (Sample& sample : dump.samples) {
    Estimate& bytes = sample.values[Metric::kInuseSpace];
    bytes.variance = bytes.value * 25;
  }
  for (const uint64_t uid : {1U, 2U, 3U}) AddToThread(0, uid, "", dump);
  AddToThread(1, 1, "", dump);
  const ErrorBars bars(dump, Metric::kInuseSpace);
  for (const auto by : {TrendBy::kStack, TrendBy::kThread}) {
    SnapshotCollector collector({.keeps_threads = true});
    collector.Add(dump);
    const Snapshots snapshots = std::move(collector).Finish();
    const TrendTable table =
        MakeTrendTable(snapshots, {{.path = "a"}}, {.by = by});
    const auto expect_equal = [&](const SeriesPoint& point, Extent extent) {
      const Interval found = IntervalOf(point);
      const auto expected = bars.Of(point.bytes, Side::kNew, extent);
      ASSERT_TRUE(expected);
      EXPECT_NEAR(found.lower, expected->lower, 1e-9);
      EXPECT_NEAR(found.upper, expected->upper, 1e-9);
    };
    expect_equal(table.total.points[0], Extent::kTotal);
    const bool is_thread = by == TrendBy::kThread;
    ASSERT_EQ(table.rows.size(), is_thread ? 3u : 2u);
    for (const TrendRow& row : table.rows)
      expect_equal(row.points[0], is_thread ? Extent::kThread : Extent::kEntry);
  }
}

TEST(MakeTrendTableTest, HasTheRatesOfOtherAxes) {
  const TrendTable table = TrendTableOf(LeakingDumps(8));
  ASSERT_EQ(table.axis, TrendAxis::kHours);
  ASSERT_EQ(table.other_axes, std::vector{TrendAxis::kDumps});
  ASSERT_EQ(table.total.other_rates.size(), 1u);
  // One dump an hour.
  EXPECT_DOUBLE_EQ(table.total.other_rates[0].slope.value,
                   table.total.trend.all.value);
}

TEST(TrendAxisTest, NeedsAMinuteToShowRatesPerHour) {
  constexpr int64_t kSecond = 1000000000;
  std::vector<TrendDump> dumps(2);
  dumps[0].time_ns = kSecond;
  dumps[1].time_ns = 60 * kSecond;
  EXPECT_TRUE(HasAxis(dumps, TrendAxis::kHours));
  EXPECT_EQ(DefaultAxis(dumps), TrendAxis::kDumps);
  dumps[1].time_ns = 61 * kSecond;
  EXPECT_EQ(DefaultAxis(dumps), TrendAxis::kHours);
}

TEST(TrendAxisTest, NeedsTimesThatIncrease) {
  constexpr int64_t kMinute = 60 * int64_t{1000000000};
  const auto axis = [](const std::vector<double>& minutes) {
    std::vector<TrendDump> dumps;
    for (const double minute : minutes)
      dumps.push_back(
          {.path = "a", .time_ns = static_cast<int64_t>(minute * kMinute)});
    return DefaultAxis(dumps);
  };
  EXPECT_EQ(axis({10, 20, 30}), TrendAxis::kHours);
  // The last two were written at the same time.
  EXPECT_EQ(axis({10, 20, 19.99}), TrendAxis::kHours);
  EXPECT_EQ(axis({10, 20, 19.95}), TrendAxis::kDumps);
  EXPECT_EQ(axis({10, 10, 10}), TrendAxis::kDumps);
  EXPECT_EQ(axis({10, 30, 20}), TrendAxis::kDumps);
  EXPECT_EQ(axis({0, 10, 20}), TrendAxis::kDumps);
  EXPECT_EQ(axis({10}), TrendAxis::kDumps);
}

TEST(TrendAxisTest, TakesWhatWasAllocatedInstead) {
  const std::vector<TrendDump> dumps = {{.path = "a", .allocated = 0x1p30},
                                        {.path = "b", .allocated = 0x1p31}};
  EXPECT_EQ(DefaultAxis(dumps), TrendAxis::kGigabytes);
  const std::vector<TrendDump> close = {
      {.path = "a", .allocated = 0x1p30},
      {.path = "b", .allocated = 1.01 * 0x1p30}};
  EXPECT_EQ(DefaultAxis(close), TrendAxis::kDumps);
}

TEST(MakeTrendTableTest, TakesCountedRows) {
  constexpr int64_t kHour = 3600 * int64_t{1000000000};
  std::vector<TrendDump> dumps;
  CountedRow total, grows = {.key = "a", .name = "A"},
                    below = {.key = "b", .name = "B"};
  for (int i = 0; i < 6; ++i) {
    dumps.push_back({.path = "x", .time_ns = (i + 1) * kHour});
    grows.bytes.push_back((10 + i) * kMebibyte);
    below.bytes.push_back(-5 * kMebibyte);
    total.bytes.push_back(grows.bytes.back() + below.bytes.back());
  }
  const TrendTable table = MakeTrendTable(
      total, {below, grows}, dumps, {.by = TrendBy::kRss, .heading = "line"});
  EXPECT_EQ(table.by, TrendBy::kRss);
  EXPECT_EQ(table.heading, "line");
  EXPECT_EQ(table.total.last(), 10 * kMebibyte);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].name, "A");
  EXPECT_EQ(table.rows[0].label, TrendLabel::kGrowing);
  EXPECT_NEAR(table.rows[0].trend.all.value, kMebibyte, 1);
  // What is below 0 is not small.
  EXPECT_EQ(table.rows[1].name, "B");
  EXPECT_EQ(table.rows[1].peak, -5 * kMebibyte);
  EXPECT_EQ(table.rows[1].label, TrendLabel::kSteady);
  const Interval exact = IntervalOf(table.rows[0].points[0]);
  EXPECT_EQ(exact.lower, exact.upper);
}

}  // namespace
}  // namespace heapprof
