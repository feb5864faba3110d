// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/merge_samples.h"

#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

Sample SampleOf(uint32_t stack, uint32_t thread, double bytes) {
  Sample sample = {.stack = {stack}, .thread = {thread}};
  sample.values[Metric::kInuseSpace] = {bytes, 2 * bytes};
  return sample;
}

TEST(MergeSamplesTest, AddsUpSamplesThatDifferOnlyInTheirValues) {
  std::vector<Sample> samples = {SampleOf(2, 0, 1), SampleOf(1, 0, 2),
                                 SampleOf(2, 1, 4), SampleOf(2, 0, 8),
                                 SampleOf(1, 0, 16)};
  samples.back().lifetime = Lifetime::kLive;
  MergeEqualSamples(samples);
  ASSERT_EQ(samples.size(), 4u);
  EXPECT_EQ(samples[0].values[Metric::kInuseSpace].value, 2);
  EXPECT_EQ(samples[1].lifetime, Lifetime::kLive);
  EXPECT_EQ(samples[1].values[Metric::kInuseSpace].value, 16);
  EXPECT_EQ(samples[2].stack, StackId{2});
  EXPECT_EQ(samples[2].values[Metric::kInuseSpace].value, 9);
  EXPECT_EQ(samples[2].values[Metric::kInuseSpace].variance, 18);
  EXPECT_EQ(samples[3].thread, ThreadId{1});
}

TEST(MergeSamplesTest, LeavesAnEmptyTableEmpty) {
  std::vector<Sample> samples;
  MergeEqualSamples(samples);
  EXPECT_TRUE(samples.empty());
}

// A table of one sample that is repeated without end keeps its size.
TEST(MergeSamplesTest, LimitsTheRowsByTheDistinctSamples) {
  SampleLimit limit;
  std::vector<Sample> samples;
  for (size_t i = 0; i < SampleLimit::kAlways + 3; ++i) {
    samples.push_back(SampleOf(1 + i % 2, 0, 1));
    limit.Enforce(samples);
  }
  EXPECT_LT(samples.size(), 10u);
  MergeEqualSamples(samples);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].values[Metric::kInuseSpace].value,
            SampleLimit::kAlways / 2 + 2);
}

}  // namespace
}  // namespace heapprof
