// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/samples_by_stack.h"

#include <cstdint>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Indices = std::vector<uint32_t>;

std::vector<Indices> Groups(const SamplesByStack& samples) {
  std::vector<Indices> groups;
  samples.ForEachStackAndThread([&](std::span<const uint32_t> group) {
    groups.emplace_back(group.begin(), group.end());
  });
  return groups;
}

Profile WithStacks(size_t stacks, size_t threads) {
  Profile profile;
  profile.stacks.resize(1 + stacks);
  profile.threads.resize(1 + threads);
  return profile;
}

TEST(SamplesByStackTest, KeepsTheOrderOfTheSamplesOfAStack) {
  const Profile profile = WithStacks(3, 0);
  const std::vector<Sample> samples = {
      {.stack = {3}}, {.stack = {1}}, {.stack = {3}, .run = 1}};
  const SamplesByStack by_stack(profile, samples);
  EXPECT_THAT(by_stack.Of({1}), ElementsAre(1));
  EXPECT_THAT(by_stack.Of({2}), IsEmpty());
  EXPECT_THAT(by_stack.Of({3}), ElementsAre(0, 2));
  EXPECT_THAT(Groups(by_stack), ElementsAre(Indices{1}, Indices{0, 2}));
}

TEST(SamplesByStackTest, GroupsSamplesByTheThreadThatReportsShow) {
  Profile profile = WithStacks(1, 3);
  profile.threads[3].shown_as = {1};
  const std::vector<Sample> samples = {{.stack = {1}, .thread = {3}},
                                       {.stack = {1}, .thread = {2}},
                                       {.stack = {1}, .thread = {1}}};
  const SamplesByStack by_stack(profile, samples);
  EXPECT_THAT(by_stack.Of({1}), ElementsAre(0, 2, 1));
  EXPECT_THAT(Groups(by_stack), ElementsAre(Indices{0, 2}, Indices{1}));
}

TEST(SamplesByStackTest, HasNoGroupsWithoutSamples) {
  const SamplesByStack by_stack(Profile(), {});
  EXPECT_THAT(Groups(by_stack), IsEmpty());
  EXPECT_THAT(by_stack.Of({}), IsEmpty());
}

}  // namespace
}  // namespace heapprof
