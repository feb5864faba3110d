// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/tree_slice.h"

#include <array>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "f 5" for each node: its label and value; "f 5 ~9" with its variance.
std::vector<std::string> SliceOf(const Profile& profile,
                                 std::span<const Sample> samples) {
  const FrameTree tree = MakeFrameTree(profile, {});
  std::vector<const Sample*> part;
  for (const Sample& sample : samples) part.push_back(&sample);
  const std::array metrics = {Metric::kInuseSpace};
  const std::vector<TreeSlice> slices = MakeTreeSlices(tree, part, metrics);
  std::vector<std::string> texts;
  for (const auto& [node, self, variance] : slices.front())
    texts.push_back(
        fmt::format("{} {}{}", tree.labels[tree.nodes[node].label].name, self,
                    variance == 0 ? "" : fmt::format(" ~{}", variance)));
  return texts;
}

TEST(TreeSliceTest, HasTheSumsOfNodesInOrder) {
  const Profile profile = ProfileOf("main;b 2\nmain;a 3\nmain 1\nmain;b 4\n");
  EXPECT_THAT(SliceOf(profile, profile.samples),
              ElementsAre("main 1", "a 3", "b 6"));
  EXPECT_THAT(SliceOf(profile, std::span(profile.samples).first(1)),
              ElementsAre("b 2"));
}

TEST(TreeSliceTest, AddsUpVariances) {
  Profile profile = ProfileOf("main;b 2\nmain;a 3\nmain;b 4\n");
  double variance = 0;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = ++variance;
  EXPECT_THAT(SliceOf(profile, profile.samples),
              ElementsAre("a 3 ~2", "b 6 ~4"));
}

TEST(TreeSliceTest, LeavesOutWhatIsNotInTheTree) {
  const Profile profile = ProfileOf("main;b 2\nmain;gone 0\n");
  std::vector<Sample> samples = profile.samples;
  samples[1].values[Metric::kInuseSpace].value = 5;
  EXPECT_THAT(SliceOf(profile, samples), ElementsAre("b 2"));
  samples[0].values[Metric::kInuseSpace].value = -2;
  EXPECT_THAT(SliceOf(profile, samples), IsEmpty());
  samples.push_back(profile.samples[0]);
  EXPECT_THAT(SliceOf(profile, samples), ElementsAre("b 2"));
}

TEST(TreeSliceTest, AddsUpToTheWholePartOfTheSum) {
  const Profile profile = ProfileOf("a 0.5\nb 0.5\nc 0.5\nd 0.75\n");
  EXPECT_THAT(SliceOf(profile, profile.samples), ElementsAre("b 1", "d 1"));
}

}  // namespace
}  // namespace heapprof
