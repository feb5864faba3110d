// SPDX-License-Identifier: Apache-2.0
#include "view/run_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::SizeIs;

constexpr Metric kBytes = Metric::kInuseSpace;

// Two runs on the new side, one on the base.
Comparison SampledComparison() {
  Comparison comparison = {.metric = kBytes};
  comparison.sides[0] = {.runs = 2, .period = 100};
  comparison.sides[1] = {.runs = 1, .period = 50};
  return comparison;
}

Sample SampleOf(Side side, uint16_t run, Estimate bytes) {
  Sample sample = {.side = side, .run = run};
  sample.values[kBytes] = bytes;
  return sample;
}

TEST(RunsOfTest, TakesASideThatWasNotMergedForOneRun) {
  Profile profile;
  profile.sampling_period = 512;
  profile.thread_stacks = {3, 4};
  profile.runs[IndexOf(Side::kNew)] = {{.sampling_period = 1},
                                       {.sampling_period = 2}};
  EXPECT_THAT(RunsOf(profile, Side::kNew), SizeIs(2));
  const auto base = RunsOf(profile, Side::kBase);
  ASSERT_THAT(base, SizeIs(1));
  EXPECT_EQ(base[0].sampling_period, 512U);
  EXPECT_EQ(base[0].thread_stacks, 4U);
}

TEST(ComparedSideOfTest, IsExactOnlyIfEveryRunIs) {
  Profile profile;
  profile.runs[0] = {{.sampling_period = 1}, {.sampling_period = 1}};
  profile.runs[1] = {{.sampling_period = 1}, {.sampling_period = 64}};
  const ComparedSide exact = ComparedSideOf(profile, Side::kNew);
  EXPECT_TRUE(exact.is_exact);
  EXPECT_EQ(exact.runs, 2U);
  const ComparedSide sampled = ComparedSideOf(profile, Side::kBase);
  EXPECT_FALSE(sampled.is_exact);
  EXPECT_EQ(sampled.period, 64U);
}

TEST(HasErrorsTest, NeedsBytesThatWereSampledWithAKnownPeriod) {
  EXPECT_TRUE(HasErrors({.runs = 1, .period = 64}, Metric::kAllocSpace));
  EXPECT_FALSE(HasErrors({.runs = 1, .period = 64}, Metric::kInuseObjects));
  EXPECT_FALSE(HasErrors({.runs = 1, .period = 0}, kBytes));
  EXPECT_FALSE(HasErrors({.runs = 1, .period = 1, .is_exact = true}, kBytes));
}

TEST(TermOfTest, KeepsTheVarianceOnlyIfErrorsAreKnown) {
  Comparison comparison = SampledComparison();
  comparison.sides[1].period = 0;
  EXPECT_EQ(
      TermOf(SampleOf(Side::kNew, 0, {8, 9}), comparison).estimate.variance, 9);
  const Term base = TermOf(SampleOf(Side::kBase, 0, {8, 9}), comparison);
  EXPECT_EQ(base.estimate.value, 8);
  EXPECT_EQ(base.estimate.variance, 0);
}

TEST(TermOfTest, CountsARunThatDoesNotExistForTheLast) {
  const Comparison comparison = SampledComparison();
  EXPECT_EQ(TermOf(SampleOf(Side::kNew, 1, {}), comparison).run, 1U);
  EXPECT_EQ(TermOf(SampleOf(Side::kNew, 7, {}), comparison).run, 1U);
  EXPECT_EQ(TermOf(SampleOf(Side::kBase, 7, {}), comparison).run, 0U);
}

TEST(GrowthOfTest, IsTheMeanOfTheRunsOfEachSide) {
  const Comparison comparison = SampledComparison();
  RunSums sums = EmptySums(comparison);
  for (const Sample& sample :
       {SampleOf(Side::kNew, 0, {10, 4}), SampleOf(Side::kNew, 1, {20, 8}),
        SampleOf(Side::kNew, 1, {30, 8}), SampleOf(Side::kBase, 0, {7, 5})})
    Add(TermOf(sample, comparison), sums);
  EXPECT_EQ(sums[0][1].value, 50);
  const Growth growth = GrowthOf(sums, comparison, 1);
  EXPECT_EQ(growth.now.mean.value, 30);
  // The variance of a mean of two is a quarter of that of the sum.
  EXPECT_EQ(growth.now.mean.variance, 5);
  EXPECT_EQ(growth.now.missed, 50);
  EXPECT_EQ(growth.base.mean.value, 7);
  EXPECT_EQ(growth.base.missed, 50);
}

}  // namespace
}  // namespace heapprof
