// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/info.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// Functions with "+0x" in their name count as unresolved.
Profile Marked(std::string_view stacks) {
  Profile profile = ProfileOf(stacks);
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  return profile;
}

// "path unresolved/locations share% resolved%" per row.
std::vector<std::string> RowsOf(const ModuleTable& table) {
  std::vector<std::string> rows;
  for (const ModuleRow& row : table.rows)
    rows.push_back(fmt::format("{} {}/{} {}% {}%", row.path, row.unresolved,
                               row.locations, row.percent,
                               row.resolved_percent));
  return rows;
}

TEST(MakeModuleTableTest, PutsWhatIsMissingMostFirst) {
  const ModuleTable table = MakeModuleTable(
      Marked("app!main 20\napp!main;y!y+0x1 10\napp!main;y!f 10\n"
             "app!main;z!z+0x1 60\nw!w+0x1;v!g 100\n"),
      Metric::kInuseSpace, {});
  EXPECT_THAT(RowsOf(table),
              ElementsAre("z 1/1 30% 0%", "y 1/2 10% 50%", "v 0/1 50% 100%",
                          "app 0/1 10% 100%", "w 1/1 0% 100%"));
  EXPECT_EQ(table.unresolved, 3u);
  EXPECT_EQ(table.unresolved_percent, 35);
}

TEST(MakeModuleTableTest, ExplainsWhatNobodyElseDid) {
  std::vector<ModuleFacts> facts(3);
  facts[1].reason = "gone";
  const ModuleTable table =
      MakeModuleTable(Marked("a!a+0x1 4\nb!b+0x1 3\nb!f 1\njit+0x1 2\n"),
                      Metric::kInuseSpace, facts);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].facts.reason, "gone");
  EXPECT_EQ(table.rows[1].facts.reason, "no symbol for 1 of 2 addresses");
  EXPECT_EQ(table.rows[2].facts.reason,
            "the memory map has no file there: code that was generated at run "
            "time, or a library that was unloaded");
}

TEST(MakeModuleTableTest, HasNoShareOfNothing) {
  const ModuleTable table =
      MakeModuleTable(Marked("a!a+0x1 7\n"), Metric::kAllocObjects, {});
  EXPECT_THAT(RowsOf(table), ElementsAre("a 1/1 0% 100%"));
  EXPECT_EQ(table.unresolved_percent, 0);
}

TEST(MakeInfoTest, CountsStacksThreadsAndTotals) {
  Profile profile = Marked("main;f 3\nmain;f 4\nmain;g 2\n");
  profile.threads.resize(4);
  profile.sampling_period = 4096;
  profile.samples.push_back(profile.samples[0]);
  profile.samples.back().side = Side::kBase;
  profile.samples[0].values[Metric::kInuseSpace].variance = 9;
  const Info info = MakeInfo(profile, {"d.heap", "", ""}, {});
  EXPECT_EQ(info.dump.path, "d.heap");
  EXPECT_EQ(info.stacks, 3u);
  EXPECT_EQ(info.threads, 3u);
  EXPECT_EQ(info.sampling_period, 4096u);
  ASSERT_EQ(info.totals.size(), 2u);
  EXPECT_EQ(info.totals[0].metric, Metric::kInuseSpace);
  EXPECT_EQ(info.totals[0].value, 9);
  ASSERT_TRUE(info.totals[0].interval);
  // One times the quantiles of a Poisson count of nine.
  EXPECT_NEAR(info.totals[0].interval->lower, 4.115, 1e-3);
  EXPECT_NEAR(info.totals[0].interval->upper, 17.085, 1e-3);
  EXPECT_EQ(info.totals[1].metric, Metric::kInuseObjects);
}

TEST(MakeInfoTest, HasErrorBarsOfBytesThatVaryOnly) {
  Profile profile = Marked("main 9\n");
  profile.has_accumulated = true;
  profile.samples[0].values[Metric::kInuseObjects] = {5, 4};
  const Info info = MakeInfo(profile, {}, {});
  ASSERT_EQ(info.totals.size(), 4u);
  for (const MetricTotal& total : info.totals)
    EXPECT_FALSE(total.interval) << MetricName(total.metric);
}

TEST(MakeInfoTest, ShowsOnlyWhatTheProfileStates) {
  const auto metrics_of = [](const Profile& profile) {
    std::vector<Metric> metrics;
    for (const MetricTotal& total : MakeInfo(profile, {}, {}).totals)
      metrics.push_back(total.metric);
    return metrics;
  };
  Profile profile = Marked("main 9\n");
  profile.has_object_counts = false;
  EXPECT_THAT(metrics_of(profile), ElementsAre(Metric::kInuseSpace));
  profile.has_accumulated = true;
  profile.has_inuse = false;
  EXPECT_THAT(metrics_of(profile), ElementsAre(Metric::kAllocSpace));
}

TEST(MetricWithValuesTest, PrefersBytesAndWhatIsLive) {
  EXPECT_EQ(MetricWithValues(Profile()), std::nullopt);
  Profile profile = Marked("main 0\n");
  for (const Metric metric : {Metric::kAllocObjects, Metric::kInuseObjects,
                              Metric::kAllocSpace, Metric::kInuseSpace}) {
    profile.samples[0].values[metric].value = 1;
    EXPECT_EQ(MetricWithValues(profile), metric);
  }
}

TEST(MetricNameTest, IsTheNameOfTheOption) {
  EXPECT_STREQ(MetricName(Metric::kInuseSpace), "inuse_space");
  EXPECT_STREQ(MetricName(Metric::kInuseObjects), "inuse_objects");
  EXPECT_STREQ(MetricName(Metric::kAllocSpace), "alloc_space");
  EXPECT_STREQ(MetricName(Metric::kAllocObjects), "alloc_objects");
}

}  // namespace
}  // namespace heapprof
