// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/recorded_counts.h"

#include <gtest/gtest.h>

#include "heapprof/stats/unbias.h"

namespace heapprof {
namespace {

Values ScaledValues(double objects, double bytes, double period) {
  Values values;
  const Unbiased scaled = Unbias(objects, bytes, period);
  values[Metric::kInuseObjects] = scaled.objects;
  values[Metric::kInuseSpace] = scaled.bytes;
  return values;
}

TEST(RecordedCountsOfTest, InvertsTheScaling) {
  const auto counts = RecordedCountsOf(ScaledValues(3, 3000, 4096), 4096);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->current.objects, 3u);
  EXPECT_EQ(counts->current.bytes, 3000u);
  EXPECT_EQ(counts->accumulated.objects, 0u);
}

TEST(RecordedCountsOfTest, RejectsOtherValues) {
  EXPECT_FALSE(RecordedCountsOf(ScaledValues(3, 3000, 4096), 0));
  EXPECT_FALSE(RecordedCountsOf(ScaledValues(3, 3000, 4096), 1000));
  Values sum = ScaledValues(3, 3000, 4096);
  sum += ScaledValues(2, 16, 4096);
  EXPECT_FALSE(RecordedCountsOf(sum, 4096));
}

// Sums of estimates do not matter: each sample is inverted for itself.
TEST(SampleCountTest, AddsUpWhatWasRecorded) {
  Profile profile;
  profile.sampling_period = 4096;
  profile.samples = {{.values = ScaledValues(3, 3000, 4096)},
                     {.values = ScaledValues(2, 160'000, 4096)}};
  EXPECT_NEAR(SampleCount(profile, Metric::kInuseSpace), 5, 1e-9);
  EXPECT_NEAR(SampleCount(profile, Metric::kInuseObjects), 5, 1e-9);
  EXPECT_EQ(SampleCount(profile, Metric::kAllocSpace), 0);
}

TEST(SampleCountTest, AssumesSmallObjectsWithoutTheirNumber) {
  Profile profile;
  profile.sampling_period = 1000;
  profile.samples.emplace_back().values[Metric::kInuseSpace].value = 5000;
  EXPECT_EQ(SampleCount(profile, Metric::kInuseSpace), 5);
}

}  // namespace
}  // namespace heapprof
