// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/node_errors.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NodeErrors ErrorsOf(const Profile& profile, double least_share = 0.001) {
  return MakeNodeErrors(MakeFrameTree(profile, {}), 0,
                        ErrorBars(profile, Metric::kInuseSpace), least_share);
}

// Sampled: each stack has the variance 100.
Profile Sampled(const char* text) {
  Profile profile = ProfileOf(text);
  profile.sampling_period = 10;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 100;
  return profile;
}

TEST(NodeErrorsTest, HasTheIntervalsOfLargeNodes) {
  // The nodes are the root, main, large and small.
  const Profile profile = Sampled("main;large 1000\nmain;small 10\n");
  const NodeErrors errors = ErrorsOf(profile, 0.1);
  std::vector<uint32_t> nodes;
  for (const NodeInterval& each : errors.intervals) nodes.push_back(each.node);
  EXPECT_THAT(nodes, ElementsAre(0, 1, 2));
  EXPECT_LT(errors.intervals[2].interval.lower, 990);
  EXPECT_GT(errors.intervals[2].interval.upper, 1010);
  EXPECT_THAT(errors.changes, IsEmpty());
  EXPECT_EQ(ErrorsOf(Sampled("main;f;g 1000\n")).intervals.size(), 4u);
  EXPECT_EQ(ErrorsOf(profile, 0).intervals.size(), 4u);
}

TEST(NodeErrorsTest, HasNoIntervalsIfValuesAreExact) {
  EXPECT_THAT(ErrorsOf(ProfileOf("main 10\n")).intervals, IsEmpty());
}

TEST(NodeErrorsTest, HasTheChangesOfAllJoints) {
  Profile profile = Sampled("grown 1500\nnew 500\nnoise 1005\nshrunk 500\n");
  for (const size_t sample : {0u, 2u, 3u}) AddBase(sample, {1000, 50}, profile);
  // The nodes are the root, grown, new, noise and shrunk.
  EXPECT_THAT(
      ErrorsOf(profile, 1).changes,
      ElementsAre(FrameChange::kGrown, FrameChange::kGrown, FrameChange::kGrown,
                  FrameChange::kNone, FrameChange::kShrunk));
}

}  // namespace
}  // namespace heapprof
