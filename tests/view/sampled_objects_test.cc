// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/sampled_objects.h"

#include <gtest/gtest.h>

#include "support/scaled_values.h"

namespace heapprof {
namespace {

double Count(const Profile& profile, Metric metric) {
  return BothSides(*SampledObjects(profile, profile.samples, metric));
}

TEST(SampledObjectsTest, AddUpWhatWasRecorded) {
  Profile profile;
  profile.sampling_period = 4096;
  profile.samples = {{.values = ScaledValues(3, 3000, 4096)},
                     {.values = ScaledValues(2, 160'000, 4096)}};
  EXPECT_NEAR(Count(profile, Metric::kInuseSpace), 5, 1e-9);
  EXPECT_NEAR(Count(profile, Metric::kInuseObjects), 5, 1e-9);
  EXPECT_EQ(Count(profile, Metric::kAllocSpace), 0);
  const auto counted =
      CountSampled(profile, profile.samples, Metric::kInuseSpace);
  EXPECT_NEAR(counted[1].values[Metric::kInuseSpace].value, 2, 1e-9);
}

// As in a profile that another tool has subtracted from.
TEST(SampledObjectsTest, AreAsManyBehindNegativeValues) {
  Profile profile;
  profile.sampling_period = 4096;
  profile.samples = {{.values = ScaledValues(3, 3000, 4096)}};
  for (Estimate& value : profile.samples[0].values.by_metric) value.value *= -1;
  EXPECT_NEAR(Count(profile, Metric::kInuseSpace), 3, 1e-9);
}

TEST(SampledObjectsTest, AreSmallIfTheirNumberIsUnknown) {
  Profile profile;
  profile.sampling_period = 1000;
  profile.samples.emplace_back().values[Metric::kInuseSpace].value = 5000;
  EXPECT_EQ(Count(profile, Metric::kInuseSpace), 5);
}

TEST(SampledObjectsTest, AreUnknownWithoutSampling) {
  Profile profile;
  for (const uint64_t period : {uint64_t{0}, uint64_t{1}}) {
    profile.sampling_period = period;
    EXPECT_FALSE(CountsSamples(profile));
    EXPECT_FALSE(SampledObjects(profile, profile.samples, Metric::kInuseSpace));
  }
}

// Each side has its own period, and a mean comes from the samples of all runs.
TEST(SampledObjectsTest, CountThoseOfAllRunsOfBothSides) {
  Profile profile;
  profile.sampling_period = 4096;
  profile.is_comparison = profile.is_mean_of_runs = true;
  profile.runs.now = {{.sampling_period = 4096}, {.sampling_period = 4096}};
  profile.runs.base = {{.sampling_period = 512}};
  profile.samples = {
      {.values = ScaledValues(3, 3000, 4096)},
      {.side = Side::kBase, .values = ScaledValues(2, 800, 512)}};
  for (Estimate& value : profile.samples[0].values.by_metric) value.value /= 2;
  const auto numbers =
      *SampledObjects(profile, profile.samples, Metric::kInuseSpace);
  EXPECT_NEAR(numbers.now, 3, 1e-9);
  EXPECT_NEAR(numbers.base, 2, 1e-9);
}

}  // namespace
}  // namespace heapprof
