// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/node_intervals.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<NodeInterval> IntervalsOf(const Profile& profile,
                                      double least_share = 0.001) {
  return MakeNodeIntervals(MakeFrameTree(profile, {}), 0,
                           ErrorBars(profile, Metric::kInuseSpace),
                           least_share);
}

// Sampled: each stack has the variance 100.
Profile Sampled(const char* text) {
  Profile profile = ProfileOf(text);
  profile.sampling_period = 10;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 100;
  return profile;
}

TEST(NodeIntervalsTest, AreThoseOfLargeNodes) {
  // The nodes are the root, main, large and small.
  const Profile profile = Sampled("main;large 1000\nmain;small 10\n");
  const std::vector<NodeInterval> intervals = IntervalsOf(profile, 0.1);
  std::vector<uint32_t> nodes;
  for (const NodeInterval& each : intervals) nodes.push_back(each.node);
  EXPECT_THAT(nodes, ElementsAre(0, 1, 2));
  EXPECT_LT(intervals[2].interval.lower, 990);
  EXPECT_GT(intervals[2].interval.upper, 1010);
  EXPECT_EQ(IntervalsOf(Sampled("main;f;g 1000\n")).size(), 4u);
  EXPECT_EQ(IntervalsOf(profile, 0).size(), 4u);
}

TEST(NodeIntervalsTest, AreNoneIfValuesAreExact) {
  EXPECT_THAT(IntervalsOf(ProfileOf("main 10\n")), IsEmpty());
}

}  // namespace
}  // namespace heapprof
