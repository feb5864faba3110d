// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/metric_table.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// "main 1 6" for each row: its name, self and total.
std::vector<std::string> RowsOf(const MetricTable& table, size_t column = 0) {
  std::vector<std::string> rows;
  for (size_t i = 0; i < table.rows.size(); ++i)
    rows.push_back(
        fmt::format("{} {} {}", table.NameOf(table.rows[i]),
                    Difference(table.columns[column].self[i].change),
                    Difference(table.columns[column].total[i].change)));
  return rows;
}

TEST(MetricTableTest, HasSelfAndTotalLargestTotalFirst) {
  const Profile profile = ProfileOf(
      "main;b 2\n"
      "main;a;a 3\n"
      "main 1\n");
  EXPECT_THAT(RowsOf(MakeMetricTable(profile, {})),
              ElementsAre("main 1 6", "a 3 3", "b 2 2"));
}

TEST(MetricTableTest, HasOneRowForAnInlinedAndACalledFunction) {
  const Profile profile = ProfileOf(
      "app!main|f 2\n"
      "app!main;app!f 3\n");
  EXPECT_THAT(RowsOf(MakeMetricTable(profile, {})),
              ElementsAre("f 5 5", "main 0 5"));
}

TEST(MetricTableTest, HasTheRowsOfAllMetrics) {
  Profile profile = ProfileOf("main;live 2\nmain;freed 0\n");
  profile.has_accumulated = true;
  profile.samples[0].values[Metric::kAllocSpace].value = 2;
  profile.samples[1].values[Metric::kAllocSpace].value = 5;
  const MetricTable table = MakeMetricTable(
      profile, {.metrics = {Metric::kInuseSpace, Metric::kAllocSpace}});
  EXPECT_THAT(RowsOf(table, 0),
              ElementsAre("live 2 2", "main 0 2", "freed 0 0"));
  EXPECT_THAT(RowsOf(table, 1),
              ElementsAre("live 2 2", "main 0 7", "freed 5 5"));
}

TEST(MetricTableTest, StoresTheFunctionOfSeveralLinesOnce) {
  const MetricTable table =
      MakeMetricTable(ProfileOf("main%m.cc:3 3\nmain%m.cc:7 2\nunknown 1\n"),
                      {.granularity = Granularity::kLines});
  EXPECT_THAT(RowsOf(table), ElementsAre("main m.cc:3 3 3", "main m.cc:7 2 2",
                                         "unknown ??:0 1 1"));
  EXPECT_EQ(table.rows[0].name, table.rows[1].name);
}

TEST(MetricTableTest, SortsEqualLinesByNameThenFileThenNumber) {
  const MetricTable table = MakeMetricTable(
      ProfileOf("f%b.cc:9 1\nf%b.cc:10 1\nf%a.cc:11 1\ng%a.cc:1 2\n"
                "e%z.cc:5 1\n[no stack] 1\n"),
      {.granularity = Granularity::kLines});
  EXPECT_THAT(RowsOf(table),
              ElementsAre("g a.cc:1 2 2", "[no stack] 1 1", "e z.cc:5 1 1",
                          "f a.cc:11 1 1", "f b.cc:9 1 1", "f b.cc:10 1 1"));
  EXPECT_FALSE(table.rows[1].file);
}

TEST(MetricTableTest, FindsTheLargestRowsOfEachColumn) {
  Profile profile = ProfileOf("live 2\nfreed 0\nsmall 1\n");
  profile.samples[1].values[Metric::kAllocSpace].value = 5;
  const MetricTable table = MakeMetricTable(
      profile, {.metrics = {Metric::kInuseSpace, Metric::kAllocSpace}});
  // The rows are live, small and freed.
  EXPECT_THAT(LargestRows(table.columns[0], 2), ElementsAre(0, 1));
  EXPECT_THAT(LargestRows(table.columns[1], 2), ElementsAre(2, 0));
  EXPECT_THAT(LargestRows(table.columns[1], 9), ElementsAre(2, 0, 1));
}

TEST(MetricTableTest, KeepsBothSidesOfADifference) {
  Profile profile = ProfileOf("main;f 2\nmain;g 4\n");
  AddBase(1, {7, 0}, profile);
  const MetricTable table = MakeMetricTable(profile, {});
  EXPECT_THAT(RowsOf(table), ElementsAre("g -3 -3", "f 2 2", "main 0 -1"));
  const Change& g = table.columns[0].total[0].change;
  EXPECT_EQ(g.now.value, 4);
  EXPECT_EQ(g.base.value, 7);
}

TEST(MetricTableTest, HasIntervalsForLargeSampledCells) {
  Profile profile = ProfileOf("main;large 10000\nmain;small 9\n");
  EXPECT_FALSE(MakeMetricTable(profile, {}).columns[0].total[0].interval);
  profile.sampling_period = 100;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 1;
  const MetricTable table = MakeMetricTable(profile, {});
  ASSERT_THAT(RowsOf(table),
              ElementsAre("main 0 10009", "large 10000 10000", "small 9 9"));
  const auto& [metric, self, total] = table.columns[0];
  EXPECT_FALSE(self[0].interval);
  EXPECT_TRUE(total[0].interval);
  EXPECT_TRUE(self[1].interval);
  EXPECT_FALSE(total[2].interval);
}

}  // namespace
}  // namespace heapprof
