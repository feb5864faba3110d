// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

constexpr Metric kSpace = Metric::kInuseSpace;

TEST(SumOfTest, AddsValuesAndVariances) {
  Profile profile = ProfileOf("a 10\nb 5\n");
  for (Sample& sample : profile.samples) sample.values[kSpace].variance = 2;
  const Change change = SumOf(profile, profile.samples, kSpace);
  EXPECT_EQ(Difference(change), 15);
  EXPECT_EQ(change.now.value, 15);
  EXPECT_EQ(change.now.variance, 4);
  EXPECT_EQ(change.base.value, 0);
}

TEST(SumOfTest, KeepsTheSidesApart) {
  Profile profile = ProfileOf("a 100\n");
  profile.samples[0].values[kSpace].variance = 5;
  AddBase(0, {96, 95}, profile);
  const Change change = SumOf(profile, profile.samples, kSpace);
  EXPECT_EQ(Difference(change), 4);
  EXPECT_EQ(change.now.value, 100);
  EXPECT_EQ(change.now.variance, 5);
  EXPECT_EQ(change.base.value, 96);
  EXPECT_EQ(change.base.variance, 95);
}

TEST(SumOfTest, KeepsTheSidesOfAChangeThatIsTooSmallToShow) {
  Profile profile = ProfileOf("a 20000000001\n");
  AddBase(0, {20'000'000'000, 0}, profile);
  const Change change = SumOf(profile, profile.samples, kSpace);
  EXPECT_EQ(Difference(change), 0);
  EXPECT_EQ(WholeChange(change), 1);
}

TEST(SumOfTest, IsZeroIfOnlyARoundingErrorIsLeft) {
  Profile profile = ProfileOf("a 0.1\nb 0.2\nc -0.3\n");
  EXPECT_EQ(SumOf(profile, profile.samples, kSpace).now.value, 0);
}

TEST(MakeNonNegativeTest, KeepsTheDifference) {
  const auto kept = [](Change change) {
    MakeNonNegative(change);
    return std::pair(change.now.value, change.base.value);
  };
  EXPECT_EQ(kept({.now = {.value = -5}}), std::pair(0.0, 5.0));
  EXPECT_EQ(kept({.now = {.value = 2}, .base = {.value = -5}}),
            std::pair(7.0, 0.0));
  EXPECT_EQ(kept({.now = {.value = 2}, .base = {.value = 5}}),
            std::pair(2.0, 5.0));
}

TEST(WholeChangeTest, RoundsEachSide) {
  EXPECT_EQ(WholeChange({.now = {.value = 2.75}}), 2);
  EXPECT_EQ(WholeChange({.now = {.value = -2.75}}), -2);
  EXPECT_EQ(WholeChange({.now = {.value = 3.25}, .base = {.value = 2.75}}), 1);
}

TEST(UnfilteredTotalTest, IsTheTotalWithoutFilters) {
  const Profile profile = ProfileOf("a 0.1\nb 0.2\nc -0.3\n");
  EXPECT_EQ(UnfilteredTotal(profile, kSpace).now.value, 0);
  EXPECT_EQ(UnfilteredChange(profile, kSpace), 0);
}

TEST(UnfilteredTotalTest, AddsWhatFiltersRemovedFromEachSide) {
  Profile profile = ProfileOf("f 5\n");
  profile.samples[0].values[Metric::kInuseSpace].variance = 6;
  profile.filtered_out.now[Metric::kInuseSpace] = {5, 6};
  profile.filtered_out.base[Metric::kInuseSpace] = {7, 4};
  profile.is_comparison = true;
  const Change total = UnfilteredTotal(profile, Metric::kInuseSpace);
  EXPECT_EQ(Difference(total), 3);
  EXPECT_EQ(total.now.value, 10);
  EXPECT_EQ(total.now.variance, 12);
  EXPECT_EQ(total.base.value, 7);
  EXPECT_EQ(total.base.variance, 4);
}

TEST(UnfilteredTotalTest, HasWhatThreadsShareWhateverAFilterRemoved) {
  // Four threads that ran one after another.
  const auto variance = [](uint32_t removed) {
    Profile profile = ProfileOf("f 5\n");
    profile.threads.resize(5);
    profile.thread_stacks.now = 1;
    Sample sample = profile.samples[0];
    sample.values[kSpace].variance = 2;
    for (uint32_t thread = 1; thread <= 4; ++thread) {
      sample.thread = {thread};
      (thread <= removed ? profile.filtered_thread_samples
                         : profile.thread_samples)
          .push_back(sample);
    }
    return UnfilteredTotal(profile, kSpace).now.variance;
  };
  EXPECT_EQ(variance(0), 12);
  EXPECT_EQ(variance(3), 12);
  EXPECT_EQ(variance(4), 12);
}

}  // namespace
}  // namespace heapprof
