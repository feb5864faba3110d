// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

constexpr Metric kMetric = Metric::kInuseSpace;

TEST(SumOfTest, AddsValuesAndVariances) {
  Profile profile = ProfileOf("a 10\nb 5\n");
  for (Sample& sample : profile.samples) sample.values[kMetric].variance = 2;
  const Change change = SumOf(profile, profile.samples, kMetric);
  EXPECT_EQ(change.value, 15);
  EXPECT_EQ(change.now.value, 15);
  EXPECT_EQ(change.now.variance, 4);
  EXPECT_FALSE(change.base);
}

TEST(SumOfTest, KeepsTheSidesApart) {
  Profile profile = ProfileOf("a 100\n");
  profile.samples[0].values[kMetric].variance = 5;
  AddBase(0, {96, 95}, profile);
  const Change change = SumOf(profile, profile.samples, kMetric);
  EXPECT_EQ(change.value, 4);
  EXPECT_EQ(change.now.value, 100);
  EXPECT_EQ(change.now.variance, 5);
  ASSERT_TRUE(change.base);
  EXPECT_EQ(change.base->value, 96);
  EXPECT_EQ(change.base->variance, 95);
}

TEST(WholeChangeTest, RoundsEachSide) {
  EXPECT_EQ(WholeChange({.value = 2.75}), 2);
  EXPECT_EQ(WholeChange({.value = -2.75}), -2);
  EXPECT_EQ(WholeChange({.value = 0.5,
                         .now = {.value = 3.25},
                         .base = Estimate{.value = 2.75}}),
            1);
}

TEST(UnfilteredTotalTest, AddsWhatFiltersRemovedFromEachSide) {
  Profile profile = ProfileOf("f 5\n");
  profile.samples[0].values[Metric::kInuseSpace].variance = 6;
  profile.filtered_out[IndexOf(Side::kNew)][Metric::kInuseSpace] = {5, 6};
  profile.filtered_out[IndexOf(Side::kBase)][Metric::kInuseSpace] = {7, 4};
  profile.is_comparison = true;
  const Change total = UnfilteredTotal(profile, Metric::kInuseSpace);
  EXPECT_EQ(total.value, 3);
  EXPECT_EQ(total.now.value, 10);
  EXPECT_EQ(total.now.variance, 12);
  EXPECT_EQ(total.base->value, 7);
  EXPECT_EQ(total.base->variance, 4);
}

}  // namespace
}  // namespace heapprof
