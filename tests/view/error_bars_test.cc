// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/error_bars.h"

#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"

namespace heapprof {
namespace {

ErrorBars Bars(uint64_t period, Metric metric = Metric::kInuseSpace) {
  Profile profile;
  profile.sampling_period = period;
  return {profile, metric};
}

TEST(ErrorBarsTest, KnowWhyThereAreNone) {
  EXPECT_EQ(Bars(512).exactness(), Exactness::kEstimated);
  EXPECT_EQ(Bars(1).exactness(), Exactness::kExact);
  EXPECT_EQ(Bars(0).exactness(), Exactness::kUnknownPeriod);
  EXPECT_EQ(Bars(512, Metric::kAllocObjects).exactness(),
            Exactness::kObjectCount);
  EXPECT_EQ(Bars(1, Metric::kAllocObjects).exactness(), Exactness::kExact);
  const Change change = {.now = {9, 9}};
  for (const ErrorBars& bars :
       {Bars(1), Bars(0), Bars(512, Metric::kInuseObjects)}) {
    EXPECT_FALSE(bars.Of(change));
    EXPECT_FALSE(bars.Of(change.now));
    EXPECT_FALSE(bars.Samples(change));
  }
}

TEST(ErrorBarsTest, AreThoseOfRunsIfEveryAllocationWasSampled) {
  Profile profile;
  profile.sampling_period = 1;
  profile.is_mean_of_runs = true;
  profile.runs.now = {{.sampling_period = 1}, {.sampling_period = 1}};
  profile.dispersions[static_cast<size_t>(Metric::kInuseSpace)].entries = {
      .relative = 0.02, .degrees = 40};
  const ErrorBars bars(profile, Metric::kInuseSpace);
  EXPECT_EQ(bars.exactness(), Exactness::kEstimated);
  const auto interval = bars.Of(Estimate{.value = 1000});
  ASSERT_TRUE(interval);
  // A standard deviation of 10 %, and 2.02 of them with 40 degrees of freedom.
  EXPECT_NEAR(interval->upper - interval->lower, 2 * 2.02 * 100, 15);
  EXPECT_FALSE(bars.Samples(Estimate{.value = 1000}));
  EXPECT_EQ(ErrorBars(profile, Metric::kInuseObjects).exactness(),
            Exactness::kExact);
}

// As runs of the new side vary, all runs of the base may lack the entry, too.
TEST(ErrorBarsTest, AllowForAnAbsenceThatMayBeChance) {
  Profile profile;
  profile.is_comparison = profile.is_mean_of_runs = true;
  profile.dispersions[static_cast<size_t>(Metric::kInuseSpace)].entries = {
      .relative = 1e-6, .degrees = 40};
  const auto missed = [&](uint64_t period, double variance) {
    profile.runs = {
        .now = std::vector<InputRun>(3, {.sampling_period = period}),
        .base = {{.sampling_period = 1}}};
    profile.sampling_period = period;
    return ErrorBars(profile, Metric::kInuseSpace)
        .GrowthOf({{1000, variance}, {}})
        .base.missed;
  };
  EXPECT_EQ(missed(1, 0), 0);
  EXPECT_EQ(missed(1, 1e6), 1000);
  // All runs seem to have it.
  EXPECT_EQ(missed(1, 1e5), 0);
  // A variance that sampling explains, and one that it does not.
  EXPECT_EQ(missed(3000, 9e5), 0);
  EXPECT_EQ(missed(3000, 2e6), 1000);
}

TEST(SampleRepetitionTest, IsNeverBelowOne) {
  const Estimate exact = {.value = 1000, .variance = 10};
  const SampleRepetition alone(exact, 100);
  EXPECT_EQ(alone.Of(exact, 100, Extent::kTotal), 1);
  // Four threads with one seed: each sample is there four times.
  const SampleRepetition shared({.value = 1000, .variance = 400'000}, 100);
  EXPECT_EQ(shared.Of(exact, 100, Extent::kEntry), 4);
  EXPECT_EQ(shared.Of(exact, 100, Extent::kThread), 1);
}

// Each of 4 samples is worth 25; Garwood's bounds of a count of 4 are 1.0899
// and 10.2416.
TEST(ErrorBarsTest, AreTheBoundsOfACount) {
  const Estimate estimate = {.value = 100, .variance = 2500};
  for (const auto& interval :
       {Bars(25).Of(estimate), Bars(25).Of(Change{.now = estimate})}) {
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->lower, 27.246, 0.001);
    EXPECT_NEAR(interval->upper, 256.040, 0.001);
  }
  EXPECT_EQ(Bars(25).Samples(estimate), 4);
}

// An object that is always sampled has no variance, but beside it, one sample
// worth a period may have been missed: mean 1100, standard deviation 100.
TEST(ErrorBarsTest, AllowForWhatWasMissedBesideALargeObject) {
  const auto interval = Bars(100).Of(Estimate{.value = 1000});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->lower, 1000);
  EXPECT_NEAR(interval->upper, 1304.46, 0.01);
}

TEST(ErrorBarsTest, AllowForWhatWasMissedWhereNothingWasSampled) {
  const auto interval = Bars(1000).Of(Estimate());
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->lower, 0);
  EXPECT_NEAR(interval->upper, 3688.88, 0.01);
  EXPECT_EQ(Bars(1000).Samples(Estimate()), 0);
}

// As where a test samples every allocation and the service it is compared with
// does not. The variance of the exact side is a rounding error.
TEST(ErrorBarsTest, CountOnlySamplesOfASampledSide) {
  Profile profile;
  profile.sampling_period = 25;
  profile.is_comparison = true;
  profile.runs.now = {{.sampling_period = 25}};
  profile.runs.base = {{.sampling_period = 1}};
  const ErrorBars bars(profile, Metric::kInuseSpace);
  const Change change = {.now = {100, 2500}, .base = {40, 1e-9}};
  EXPECT_FALSE(bars.IsExact(Side::kNew));
  EXPECT_TRUE(bars.IsExact(Side::kBase));
  EXPECT_FALSE(bars.Of(change.base, Side::kBase));
  EXPECT_EQ(bars.Samples(change), 4);
  EXPECT_TRUE(bars.Of(change));
}

TEST(ErrorBarsTest, CombineBothSidesOfADifference) {
  const Change change = {.now = {100, 2500}, .base = {40, 400}};
  Profile profile;
  profile.sampling_period = 512;
  profile.is_comparison = true;
  for (const auto& interval :
       {ErrorBars(profile, Metric::kInuseSpace).Of(change),
        Bars(512).OfDifference(change)}) {
    ASSERT_TRUE(interval);
    EXPECT_LT(interval->lower, 60 - (100 - 27));
    EXPECT_GT(interval->upper, 60 + (256 - 100));
  }
  EXPECT_EQ(Bars(512).Samples(change), 4 + 4);
}

// Three threads with samples and one stack: two threads may have the same seed.
// A missed sample may then be missing in both.
TEST(ErrorBarsTest, RepeatAMissedSampleInThreadsWithTheSameSeed) {
  Profile profile;
  profile.sampling_period = 25;
  profile.threads.resize(4);
  profile.stacks.resize(2);
  for (uint32_t thread = 1; thread <= 3; ++thread) {
    Sample sample = {.stack = {1}};
    sample.values[Metric::kInuseSpace] = {100, 2500};
    profile.samples.push_back(sample);
    sample.thread = {thread};
    profile.thread_samples.push_back(sample);
  }
  const auto upper = [&](const Estimate& value, Extent extent) {
    return ErrorBars(profile, Metric::kInuseSpace)
        .Of(value, Side::kNew, extent)
        ->upper;
  };
  EXPECT_NEAR(upper({}, Extent::kEntry), 92.222, 0.001);
  profile.thread_stacks = {1, 1};
  // The total has the variance 3*2500 + 2*2500, that of samples of 41.7 bytes.
  const double repetition = 5.0 * 2500 / 300 / 25;
  EXPECT_NEAR(upper({}, Extent::kEntry), repetition * 92.222, 0.001);
  EXPECT_NEAR(upper({}, Extent::kThread), 92.222, 0.001);
  EXPECT_GT(upper({100, 2500}, Extent::kEntry), 256.040);
  EXPECT_NEAR(upper({100, 2500}, Extent::kThread), 256.040, 0.001);
}

TEST(ErrorBarsTest, SayHowToComputeOthers) {
  const auto model = Bars(512).Model();
  ASSERT_TRUE(model);
  EXPECT_EQ(model->missed.now, 512);
  EXPECT_EQ(model->total.sampling, 1);
  EXPECT_EQ(model->total.relative.now, 0);
  EXPECT_EQ(model->total.widening, 1);
  EXPECT_FALSE(Bars(1).Model());
  EXPECT_FALSE(Bars(512, Metric::kInuseObjects).Model());
}

}  // namespace
}  // namespace heapprof
