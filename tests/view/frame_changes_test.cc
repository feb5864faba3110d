// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_changes.h"

#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kPeriod = 1000;

// A count of small objects, of which one in `kPeriod` bytes is sampled.
Estimate Samples(double count) {
  return {.value = count * kPeriod, .variance = count * kPeriod * kPeriod};
}

// A comparison of "f0" to "fN", each with as many samples on both sides, and of
// "grown", which has 40 after 20.
Profile GrownAmong(int others) {
  std::string stacks;
  for (int i = 0; i < others; ++i) stacks += fmt::format("main;f{} 30000\n", i);
  Profile profile = ProfileOf(stacks + "main;grown 40000\n");
  profile.sampling_period = static_cast<uint64_t>(kPeriod);
  const size_t count = profile.samples.size();
  for (size_t i = 0; i < count; ++i) {
    Estimate& value = profile.samples[i].values[Metric::kInuseSpace];
    value = Samples(value.value / kPeriod);
    AddBase(i, value.value == 40'000 ? Samples(20) : value, profile);
  }
  return profile;
}

// The change of the last child of main.
FrameChange ChangeOfLast(const Profile& profile) {
  const FrameTree tree = MakeFrameTree(profile, {});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  return FrameChanges(tree, 0, errors).of_joints().back();
}

TEST(FrameChangesTest, AreJudgedTogether) {
  EXPECT_EQ(ChangeOfLast(GrownAmong(1)), FrameChange::kGrown);
  EXPECT_EQ(ChangeOfLast(GrownAmong(100)), FrameChange::kNone);
}

TEST(FrameChangesTest, AreThoseOfAllJoints) {
  Profile profile = ProfileOf("grown 90000\nnew 50000\nnoise 9000\nshrunk 0\n");
  profile.sampling_period = static_cast<uint64_t>(kPeriod);
  for (Sample& sample : profile.samples) {
    Estimate& value = sample.values[Metric::kInuseSpace];
    value = Samples(value.value / kPeriod);
  }
  AddBase(0, Samples(20), profile);
  AddBase(2, Samples(10), profile);
  AddBase(3, Samples(60), profile);
  const FrameTree tree = MakeFrameTree(profile, {});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  const FrameChanges changes(tree, 0, errors);
  // Four of five are found.
  EXPECT_DOUBLE_EQ(changes.level()->tail, (1 - kConfidence) / 2 * 4 / 5);
  // The joints are the root, grown, new, noise and shrunk.
  EXPECT_THAT(
      changes.of_joints(),
      ElementsAre(FrameChange::kGrown, FrameChange::kGrown, FrameChange::kGrown,
                  FrameChange::kNone, FrameChange::kShrunk));
}

TEST(FrameChangesTest, AllCountWithoutErrors) {
  Profile profile = ProfileOf("f 10\n");
  AddBase(0, {.value = 9}, profile);
  const FrameTree tree = MakeFrameTree(profile, {});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  const FrameChanges changes(tree, 0, errors);
  EXPECT_FALSE(changes.level().has_value());
  EXPECT_THAT(changes.of_joints(),
              ElementsAre(FrameChange::kGrown, FrameChange::kGrown));
}

TEST(FrameChangesTest, AreNoneWithoutAComparison) {
  const Profile profile = ProfileOf("f 10\n");
  const FrameTree tree = MakeFrameTree(profile, {});
  const ErrorBars errors(profile, Metric::kInuseSpace);
  EXPECT_THAT(FrameChanges(tree, 0, errors).of_joints(), IsEmpty());
}

}  // namespace
}  // namespace heapprof
