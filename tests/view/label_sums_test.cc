// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

// Label to flat and cumulative value.
std::map<std::string, std::pair<double, double>> SumsOf(std::string_view text) {
  const Profile profile = ProfileOf(text);
  const FrameLabels labels(profile, {});
  const auto sums =
      SumByLabel(profile, profile.samples, labels, Metric::kInuseSpace);
  std::map<std::string, std::pair<double, double>> by_label;
  for (uint32_t id = 0; id < labels.size(); ++id)
    by_label[labels.Text(id)] = {Difference(sums[id].flat),
                                 Difference(sums[id].cumulative)};
  return by_label;
}

TEST(SumByLabelTest, CountsEachLabelOncePerStack) {
  EXPECT_THAT(SumsOf("main;f;f 3\nmain;f 4\nmain 5\n"),
              ElementsAre(Pair("f", Pair(7, 7)), Pair("main", Pair(5, 12))));
}

TEST(SumByLabelTest, IsExactlyZeroIfIncreasesAndDecreasesCancel) {
  EXPECT_THAT(SumsOf("f;a 0.1\nf;b 0.2\nf;c -0.3\n"),
              testing::Contains(Pair("f", Pair(0, 0))));
  // This is no rounding error.
  EXPECT_NE(SumsOf("f 1000\ng 1\ng -0.99999\n").at("g").first, 0);
}

TEST(SumByLabelTest, KeepsTheErrorOfWhatDidNotChange) {
  // One stack shrank from 9 to 4, the other stayed at 6.
  Profile profile = ProfileOf("main;f 4\nmain;g 6\n");
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance =
        sample.values[Metric::kInuseSpace].value;
  AddBase(0, {9, 9}, profile);
  AddBase(1, {6, 6}, profile);
  const FrameLabels labels(profile, {});
  const auto sums =
      SumByLabel(profile, profile.samples, labels, Metric::kInuseSpace);
  for (uint32_t id = 0; id < labels.size(); ++id) {
    const Change& change = sums[id].cumulative;
    if (labels.Text(id) != "main") continue;
    EXPECT_EQ(Difference(change), -5);
    EXPECT_EQ(change.now.value, 10);
    EXPECT_EQ(change.now.variance, 10);
    EXPECT_EQ(change.base.value, 15);
    EXPECT_EQ(change.base.variance, 15);
  }
}

TEST(SumByLabelTest, KeepsTheSidesOfAChangeThatIsTooSmallToShow) {
  Profile profile = ProfileOf("f 20000000001\n");
  AddBase(0, {20'000'000'000, 0}, profile);
  const FrameLabels labels(profile, {});
  const auto sums =
      SumByLabel(profile, profile.samples, labels, Metric::kInuseSpace);
  EXPECT_TRUE(sums[0].IsZero());
  EXPECT_EQ(WholeChange(sums[0].flat), 1);
}

TEST(SumByLabelTest, HasNoBaseForOneSide) {
  const Profile profile = ProfileOf("f 1\n");
  const FrameLabels labels(profile, {});
  EXPECT_EQ(SumByLabel(profile, profile.samples, labels, Metric::kInuseSpace)[0]
                .flat.base.value,
            0);
}

// Two of three threads may have used one stack, so that their errors add up.
TEST(SumByLabelTest, AllowsForThreadsWithTheSameSeed) {
  Profile profile = ProfileOf("main;f 4\nmain;g 4\nmain;g;f 4\n");
  for (size_t i = 0; i < 3; ++i) {
    profile.samples[i].values[Metric::kInuseSpace].variance = 10;
    AddToThread(i, i, "", profile);
  }
  profile.thread_stacks = {1, 1};
  const FrameLabels labels(profile, {});
  const auto sums =
      SumByLabel(profile, profile.samples, labels, Metric::kInuseSpace);
  std::map<std::string, std::pair<double, double>> variances;
  for (uint32_t id = 0; id < labels.size(); ++id)
    variances[labels.Text(id)] = {sums[id].flat.now.variance,
                                  sums[id].cumulative.now.variance};
  EXPECT_THAT(variances, ElementsAre(Pair("f", Pair(20 + 20, 20 + 20)),
                                     Pair("g", Pair(10, 20 + 20)),
                                     Pair("main", Pair(0, 30 + 20))));
}

TEST(SumsOfMetricsTest, FindsTheSumsOfAMetricThatIsNamedTwice) {
  const Profile profile = ProfileOf("main;f 3\n");
  const FrameLabels labels(profile, {});
  const Metric metrics[] = {Metric::kInuseSpace, Metric::kInuseObjects,
                            Metric::kInuseSpace};
  const SumsOfMetrics sums(profile, profile.samples, labels, metrics);
  for (const Metric metric : metrics) {
    const auto alone = SumByLabel(profile, profile.samples, labels, metric);
    ASSERT_EQ(sums.Of(metric).size(), alone.size());
    for (size_t i = 0; i < alone.size(); ++i)
      EXPECT_EQ(sums.Of(metric)[i].cumulative.now.value,
                alone[i].cumulative.now.value);
  }
}

}  // namespace
}  // namespace heapprof
