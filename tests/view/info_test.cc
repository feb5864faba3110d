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
#include "heapprof/stats/interval.h"
#include "heapprof/view/metric_words.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(MakeInfoTest, CountsStacksThreadsAndTotals) {
  Profile profile = ProfileWithUnresolved("main;f 6\nmain;f 8\nmain;g 4\n");
  profile.threads.resize(4);
  profile.sampling_period = 2;
  profile.samples[0].values[Metric::kInuseSpace].variance = 36;
  const Info info = MakeInfo(profile, {"d.heap", "", ""}, {});
  EXPECT_EQ(info.dump.path, "d.heap");
  EXPECT_EQ(info.stacks, 3u);
  EXPECT_EQ(info.threads, 3u);
  EXPECT_EQ(info.sampling_period, 2u);
  ASSERT_EQ(info.totals.size(), 2u);
  EXPECT_EQ(info.totals[0].metric, Metric::kInuseSpace);
  EXPECT_EQ(info.totals[0].value, 18);
  ASSERT_TRUE(info.totals[0].interval);
  // The quantiles of a Poisson count of nine, each worth a period.
  EXPECT_NEAR(info.totals[0].interval->lower, 2 * 4.115, 1e-3);
  EXPECT_NEAR(info.totals[0].interval->upper, 2 * 17.085, 1e-3);
  EXPECT_EQ(info.totals[1].metric, Metric::kInuseObjects);
}

TEST(MakeInfoTest, BoundsADifferenceByBothOfItsSides) {
  // 100 - 96 in one function, no change in the other.
  Profile profile = ProfileWithUnresolved("main;f 100\nmain;g 4\n");
  profile.sampling_period = 4096;
  profile.samples[0].values[Metric::kInuseSpace].variance = 98;
  profile.samples[1].values[Metric::kInuseSpace].variance = 6;
  AddBase(0, {96, 95}, profile);
  AddBase(1, {4, 5}, profile);
  const Info info = MakeInfo(profile, {}, {});
  EXPECT_TRUE(info.is_difference);
  EXPECT_EQ(info.stacks, 1u);
  EXPECT_EQ(info.totals[0].value, 4);
  ASSERT_TRUE(info.totals[0].interval);
  const Interval expected = ConfidenceInterval(
      Growth{.now = {{104, 104}, 4096}, .base = {{100, 100}, 4096}},
      kConfidence);
  EXPECT_NEAR(info.totals[0].interval->lower, expected.lower, 1e-9);
  EXPECT_NEAR(info.totals[0].interval->upper, expected.upper, 1e-9);
  EXPECT_LT(expected.lower, 0);
}

TEST(MakeInfoTest, WidensTheBoundsOfThreadsThatTookTurnsOnOneStack) {
  Profile profile = ProfileWithUnresolved("main;f 40\n");
  profile.sampling_period = 2;
  profile.threads.resize(5);
  profile.samples[0].values[Metric::kInuseSpace].variance = 40;
  for (uint32_t i = 1; i < 5; ++i) {
    Sample sample = profile.samples[0];
    sample.thread = {i};
    sample.values[Metric::kInuseSpace] = {10, 10};
    profile.thread_samples.push_back(sample);
  }
  const auto interval = [&profile](uint32_t stacks) {
    profile.thread_stacks = {stacks, 0};
    return *MakeInfo(profile, {}, {}).totals[0].interval;
  };
  EXPECT_EQ(interval(3).upper, interval(0).upper);
  EXPECT_FALSE(MakeInfo(profile, {}, {}).threads_share_errors);
  EXPECT_GT(interval(2).upper, interval(3).upper);
  const MeasuredSide widened = {.mean = {40, 40 + 60}, .missed = 2};
  EXPECT_NEAR(interval(1).upper, ConfidenceInterval(widened, 0.95).upper, 1e-9);
  EXPECT_TRUE(MakeInfo(profile, {}, {}).threads_share_errors);
}

TEST(MakeInfoTest, CountsTheThreadsOfEachSideForItself) {
  // Three threads in the base and another three now, each on its own stack.
  Profile profile = ProfileWithUnresolved("main;f 30\n");
  profile.sampling_period = 4096;
  profile.samples[0].values[Metric::kInuseSpace].variance = 30;
  AddBase(0, {30, 30}, profile);
  profile.threads.resize(7);
  for (uint32_t i = 1; i <= 6; ++i) {
    Sample sample = profile.samples[i <= 3 ? 1 : 0];
    sample.thread = {i};
    sample.values[Metric::kInuseSpace] = {10, 10};
    profile.thread_samples.push_back(sample);
  }
  const auto interval = [&profile](uint32_t now, uint32_t base) {
    profile.thread_stacks = {now, base};
    return *MakeInfo(profile, {}, {}).totals[0].interval;
  };
  EXPECT_EQ(interval(2, 2).upper, interval(0, 0).upper);
  EXPECT_GT(interval(1, 2).upper, interval(2, 2).upper);
  EXPECT_GT(interval(1, 1).upper, interval(1, 2).upper);
}

TEST(MakeInfoTest, HasErrorBarsOnlyForBytesThatVary) {
  Profile profile = ProfileWithUnresolved("main 9\n");
  profile.has_accumulated = true;
  profile.samples[0].values[Metric::kInuseObjects] = {5, 4};
  const Info info = MakeInfo(profile, {}, {});
  ASSERT_EQ(info.totals.size(), 4u);
  for (const MetricTotal& total : info.totals)
    EXPECT_FALSE(total.interval) << MetricName(total.metric);
}

TEST(MakeInfoTest, IsExactIfEveryAllocationWasSampled) {
  Profile profile = ProfileWithUnresolved("main 9\n");
  profile.samples[0].values[Metric::kInuseSpace].variance = 9;
  for (const uint64_t period : {1u, 2u}) {
    profile.sampling_period = period;
    const Info info = MakeInfo(profile, {}, {});
    ASSERT_FALSE(info.totals.empty());
    EXPECT_EQ(info.totals[0].is_exact, period == 1);
    EXPECT_EQ(info.totals[0].interval.has_value(), period != 1);
  }
}

TEST(MakeInfoTest, ShowsOnlyWhatTheProfileStates) {
  const auto metrics_of = [](const Profile& profile) {
    std::vector<Metric> metrics;
    for (const MetricTotal& total : MakeInfo(profile, {}, {}).totals)
      metrics.push_back(total.metric);
    return metrics;
  };
  Profile profile = ProfileWithUnresolved("main 9\n");
  profile.has_object_counts = false;
  EXPECT_THAT(metrics_of(profile), ElementsAre(Metric::kInuseSpace));
  profile.has_accumulated = true;
  profile.has_inuse = false;
  EXPECT_THAT(metrics_of(profile), ElementsAre(Metric::kAllocSpace));
}

TEST(MetricNameTest, IsTheNameOfTheOption) {
  EXPECT_EQ(MetricName(Metric::kInuseSpace), "inuse_space");
  EXPECT_EQ(MetricName(Metric::kInuseObjects), "inuse_objects");
  EXPECT_EQ(MetricName(Metric::kAllocSpace), "alloc_space");
  EXPECT_EQ(MetricName(Metric::kAllocObjects), "alloc_objects");
}

TEST(MakeInfoTest, KnowsHowMuchJavaCodeLacksNames) {
  Profile profile = ProfileWithUnresolved(
      "[anon]!0x1+0x1;libjvm.so!malloc 30\nlibjvm.so!main 70\n");
  for (Mapping& mapping : profile.mappings)
    mapping.is_file = profile.String(mapping.filename) == "libjvm.so";
  const Info info = MakeInfo(profile, {"d.heap", "", ""}, {});
  EXPECT_TRUE(info.runs_java);
  EXPECT_EQ(info.generated_percent, 30);
  const Info other =
      MakeInfo(ProfileOf("[anon]!Interpreter 3\n"), {"d.heap", "", ""}, {});
  EXPECT_FALSE(other.runs_java);
  EXPECT_EQ(other.generated_percent, 0);
}

TEST(LacksJavaNamesTest, IsTrueFromATenthOfTheMemory) {
  Info info;
  info.generated_percent = 10;
  EXPECT_FALSE(LacksJavaNames(info));
  info.runs_java = true;
  EXPECT_TRUE(LacksJavaNames(info));
  info.generated_percent = 9.9;
  EXPECT_FALSE(LacksJavaNames(info));
}

}  // namespace
}  // namespace heapprof
