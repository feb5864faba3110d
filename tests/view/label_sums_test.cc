// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

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
    by_label[std::string(labels.Text(id))] = {sums[id].flat.value,
                                              sums[id].cumulative.value};
  return by_label;
}

TEST(SumByLabelTest, CountsEachLabelOncePerStack) {
  EXPECT_THAT(SumsOf("main;f;f 3\nmain;f 4\nmain 5\n"),
              ElementsAre(Pair("f", Pair(7, 7)), Pair("main", Pair(5, 12))));
}

TEST(SumByLabelTest, IsExactlyZeroIfIncreasesAndDecreasesCancel) {
  EXPECT_THAT(SumsOf("f;a 0.1\nf;b 0.2\nf;c -0.3\n"),
              testing::Contains(Pair("f", Pair(0, 0))));
}

// A difference of two stacks: one shrank from 9 to 4, one stayed at 6.
Profile Difference() {
  Profile profile = ProfileOf("main;f -5\nmain;g 0\n");
  profile.is_difference = true;
  const Estimate values[] = {{-5, 13}, {0, 12}};
  const Estimate bases[] = {{9, 9}, {6, 6}};
  for (uint32_t i = 0; i < 2; ++i) {
    profile.samples[i].values[Metric::kInuseSpace] = values[i];
    profile.samples[i].base = i + 1;
    profile.bases.emplace_back()[Metric::kInuseSpace] = bases[i];
  }
  return profile;
}

TEST(SumBasesByLabelTest, KeepsTheErrorOfWhatDidNotChange) {
  const Profile profile = Difference();
  const FrameLabels labels(profile, {});
  const auto sums =
      SumByLabel(profile, profile.samples, labels, Metric::kInuseSpace);
  const auto bases =
      SumBasesByLabel(profile, profile.samples, labels, Metric::kInuseSpace);
  ASSERT_EQ(bases.size(), labels.size());
  for (uint32_t id = 0; id < labels.size(); ++id) {
    const Change change = ChangeOf(sums[id].cumulative, bases[id].cumulative);
    if (labels.Text(id) != "main") continue;
    EXPECT_EQ(change.value, -5);
    EXPECT_EQ(change.now.value, 10);
    EXPECT_EQ(change.now.variance, 10);
    EXPECT_EQ(change.base->value, 15);
    EXPECT_EQ(change.base->variance, 15);
  }
}

TEST(SumBasesByLabelTest, IsEmptyForOneSide) {
  const Profile profile = ProfileOf("f 1\n");
  const FrameLabels labels(profile, {});
  EXPECT_TRUE(
      SumBasesByLabel(profile, profile.samples, labels, Metric::kInuseSpace)
          .empty());
}

}  // namespace
}  // namespace heapprof
