// SPDX-License-Identifier: Apache-2.0
#include "view/run_sums.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr Metric kBytes = Metric::kInuseSpace;

Sample SampleOf(Side side, uint16_t run, Estimate bytes) {
  Sample sample = {.side = side, .run = run};
  sample.values[kBytes] = bytes;
  return sample;
}

TEST(ComparedSideOfTest, IsExactOnlyIfEveryRunIs) {
  Profile profile;
  profile.runs.now = {{.sampling_period = 1}, {.sampling_period = 1}};
  profile.runs.base = {{.sampling_period = 1}, {.sampling_period = 64}};
  const ComparedSide exact = ComparedSideOf(profile, Side::kNew);
  EXPECT_TRUE(exact.is_exact);
  EXPECT_EQ(exact.runs, 2U);
  const ComparedSide sampled = ComparedSideOf(profile, Side::kBase);
  EXPECT_FALSE(sampled.is_exact);
  EXPECT_EQ(sampled.period, 64U);
}

// With two runs on the new side.
Profile ProfileOfRuns() {
  Profile profile;
  profile.runs.now.resize(2);
  profile.runs.base.resize(1);
  profile.is_mean_of_runs = true;
  return profile;
}

TEST(RunSumsTest, AreTheMeansOfRunsThatWereDivided) {
  RunSums sums = EmptySums(ProfileOfRuns());
  for (const Sample& sample :
       {SampleOf(Side::kNew, 0, {5, 1}), SampleOf(Side::kNew, 1, {10, 2}),
        SampleOf(Side::kNew, 1, {15, 2}), SampleOf(Side::kBase, 0, {7, 5})})
    Add(sample, kBytes, sums);
  EXPECT_EQ(sums.now[1].value, 25);
  const Change means = MeansOf(sums);
  EXPECT_EQ(means.now.value, 30);
  EXPECT_EQ(means.now.variance, 5);
  EXPECT_EQ(means.base.value, 7);
}

// How much the dumps differ says nothing about their sum.
TEST(RunSumsTest, HaveOneSumIfDumpsAreAddedUp) {
  Profile profile = ProfileOfRuns();
  profile.is_mean_of_runs = false;
  RunSums sums = EmptySums(profile);
  Add(SampleOf(Side::kNew, 0, {5, 1}), kBytes, sums);
  Add(SampleOf(Side::kNew, 1, {10, 2}), kBytes, sums);
  ASSERT_EQ(sums.now.size(), 1U);
  EXPECT_EQ(sums.now[0].value, 15);
}

TEST(RunSumsTest, CountARunThatDoesNotExistForTheLast) {
  RunSums sums = EmptySums(ProfileOfRuns());
  Add(SampleOf(Side::kNew, 7, {1, 0}), kBytes, sums);
  Add(SampleOf(Side::kBase, 7, {2, 0}), kBytes, sums);
  EXPECT_EQ(sums.now[1].value, 1);
  EXPECT_EQ(sums.base[0].value, 2);
}

TEST(ShareIntervalOfTest, NeedsSharesOfAWhole) {
  Profile profile;
  profile.sampling_period = 64;
  profile.runs.now = {{.sampling_period = 64}};
  const ErrorBars bars(profile, kBytes);
  const auto share = [&](double part, double rest) {
    RunSums of_part = EmptySums(profile), of_rest = EmptySums(profile);
    of_part.now[0] = {part, part};
    of_rest.now[0] = {rest, std::abs(rest)};
    return ShareIntervalOf(of_part, of_rest, bars);
  };
  ASSERT_TRUE(share(600, 400));
  EXPECT_TRUE(share(600, 400)->Contains(0.6));
  EXPECT_TRUE(share(600, 0));
  // The input is a difference itself.
  EXPECT_FALSE(share(600, -1));
  EXPECT_FALSE(share(0, 400));
}

}  // namespace
}  // namespace heapprof
