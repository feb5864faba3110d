// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flame_graph.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

FlameGraph FlameGraphOf(const Profile& profile, size_t most = 1000) {
  const FrameTree tree = MakeFrameTree(profile, {.counts_samples = true});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  return MakeFlameGraph(tree, 0, errors, FrameChanges(tree, 0, errors),
                        {.most_frames = most});
}

// "2:3 5/5 +9": depth, index after the last descendant, self, total, number of
// others.
std::vector<std::string> FramesOf(const FlameGraph& graph) {
  std::vector<std::string> texts;
  for (const FlameFrame& frame : graph.frames)
    texts.push_back(fmt::format("{}:{} {}/{} +{}", frame.depth, frame.end,
                                frame.self.now, frame.total.now, frame.others));
  return texts;
}

TEST(FlameGraphTest, HasAllFramesOfASmallTree) {
  EXPECT_THAT(
      FramesOf(FlameGraphOf(ProfileOf("a;b 2\na 1\nc 4\n"))),
      ElementsAre("0:4 0/7 +0", "1:3 1/3 +0", "2:3 2/2 +0", "1:4 4/4 +0"));
}

TEST(FlameGraphTest, SumsUpTheSmallestFrames) {
  const Profile profile =
      ProfileOf("a;small;deeper 2\na;x 9\na;y 3\na;z 1\nb 20\nc 1\n");
  // The others of "a" are "small" with "deeper", "y" and "z".
  EXPECT_THAT(FramesOf(FlameGraphOf(profile, 4)),
              ElementsAre("0:6 0/36 +0", "1:4 0/15 +0", "2:3 9/9 +0",
                          "2:4 6/6 +4", "1:5 20/20 +0", "1:6 1/1 +1"));
}

TEST(FlameGraphTest, KeepsTheFirstFramesOfOneSize) {
  EXPECT_THAT(
      FramesOf(FlameGraphOf(ProfileOf("a;b;c;d 5\n"), 3)),
      ElementsAre("0:4 0/5 +0", "1:4 0/5 +0", "2:4 0/5 +0", "3:4 5/5 +2"));
}

TEST(FlameGraphTest, OfTheRootHasTheWholeProfile) {
  const Profile profile = ProfileOf("a;b 2\nc 4\n");
  EXPECT_THAT(
      FramesOf(MakeFlameGraphOfRoot(MakeFrameTree(profile, {}), 0,
                                    ErrorBars(profile, Metric::kInuseSpace))),
      ElementsAre("0:1 0/6 +0"));
}

TEST(FlameGraphTest, HasErrorBarsIfTheMetricHas) {
  Profile profile = ProfileOf("a 100\nb 100\n");
  EXPECT_FALSE(FlameGraphOf(profile).frames[1].interval);
  profile.sampling_period = 25;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 2500;
  const FlameGraph graph = FlameGraphOf(profile);
  EXPECT_EQ(graph.exactness, Exactness::kEstimated);
  for (const size_t frame : {1u, 2u}) {
    EXPECT_EQ(graph.frames[frame].interval->lower, 27);
    EXPECT_EQ(graph.frames[frame].interval->upper, 257);
    EXPECT_EQ(graph.frames[frame].samples, 4);
  }
  EXPECT_EQ(graph.frames[0].samples, 8);
}

Profile Difference(uint64_t period) {
  Profile profile = ProfileOf("down 1000\ngone 0\nnew 400000\nup 500000\n");
  profile.sampling_period = period;
  const double worth = period > 1 ? 1000 : 0;
  for (Sample& sample : profile.samples) {
    Estimate& value = sample.values[Metric::kInuseSpace];
    value.variance = value.value * worth;
  }
  AddBase(0, {500'000, 500'000 * worth}, profile);
  AddBase(1, {9000, 9000 * worth}, profile);
  AddBase(3, {1000, 1000 * worth}, profile);
  return profile;
}

// In the order down, gone, new, up, after the frame for all.
std::vector<std::string> ChangesOf(const FlameGraph& graph) {
  std::vector<std::string> texts;
  for (const FlameFrame& frame : graph.frames) {
    const char* changes[] = {"none", "grown", "shrunk"};
    texts.push_back(fmt::format("{}{}",
                                changes[static_cast<size_t>(frame.change)],
                                frame.is_new ? " new" : ""));
  }
  return texts;
}

TEST(FlameGraphTest, TellsChangesFromSamplingErrors) {
  const FlameGraph exact = FlameGraphOf(Difference(1));
  EXPECT_TRUE(exact.is_comparison);
  EXPECT_THAT(ChangesOf(exact),
              ElementsAre("grown", "shrunk", "shrunk", "grown new", "grown"));
  EXPECT_THAT(ChangesOf(FlameGraphOf(Difference(20'000))),
              ElementsAre("grown", "shrunk", "none", "grown new", "grown"));
}

// The bytes grow from 30000 to 31000, which may be chance, and the objects from
// 20 to 30.
TEST(FlameGraphTest, JudgesObjectsByTheirBytes) {
  const auto change_of = [](const Profile& profile) {
    const FrameTree tree = MakeFrameTree(
        profile, {.metrics = {Metric::kInuseObjects, Metric::kInuseSpace}});
    const ErrorBars errors(profile, Metric::kInuseObjects);
    const ErrorBars judges(profile, Metric::kInuseSpace);
    return MakeFlameGraph(tree, 0, errors, FrameChanges(tree, 1, judges), {})
        .frames.back()
        .change;
  };
  EXPECT_EQ(change_of(ComparedObjects("f", 31'000, 30'000)),
            FrameChange::kNone);
  EXPECT_EQ(change_of(ComparedObjects("f", 90'000, 30'000)),
            FrameChange::kGrown);
  // More objects of fewer bytes.
  EXPECT_EQ(change_of(ComparedObjects("f", 30'000, 90'000)),
            FrameChange::kNone);
}

TEST(FlameGraphTest, CountsEachChangeOfObjectsIfAllAreSampled) {
  Profile profile = ComparedObjects("f", 30'000, 90'000);
  profile.sampling_period = 1;
  const FrameTree tree = MakeFrameTree(
      profile, {.metrics = {Metric::kInuseObjects, Metric::kInuseSpace}});
  const ErrorBars errors(profile, Metric::kInuseObjects);
  const ErrorBars judges(profile, Metric::kInuseSpace);
  EXPECT_EQ(MakeFlameGraph(tree, 0, errors, FrameChanges(tree, 1, judges), {})
                .frames.back()
                .change,
            FrameChange::kGrown);
}

TEST(FlameGraphTest, LosesNoDifference) {
  const Profile profile = Difference(1);
  for (const size_t most : {1000u, 2u, 1u}) {
    int64_t sum = 0;
    for (const FlameFrame& frame : FlameGraphOf(profile, most).frames)
      sum += frame.self.now - frame.self.base;
    EXPECT_EQ(sum, 901'000 - 510'000) << most;
  }
}

}  // namespace
}  // namespace heapprof
