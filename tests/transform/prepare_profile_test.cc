// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/prepare_profile.h"

#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/transform/own_code.h"
#include "support/both_sides.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(PrepareProfileTest, TrimsBeforeItCompares) {
  Profile profile = BothSides("main;f;malloc 3\n", "main;f 1\n");
  const PreparedStacks stacks = PrepareProfile(profile, {}, {});
  EXPECT_TRUE(profile.is_comparison);
  ASSERT_EQ(profile.samples.size(), 2u);
  EXPECT_EQ(profile.samples[0].stack, profile.samples[1].stack);
  EXPECT_EQ(stacks.totals.now[Metric::kInuseSpace].value, 3);
  EXPECT_EQ(stacks.totals.base[Metric::kInuseSpace].value, 1);
}

TEST(PrepareProfileTest, LabelsEmptyStacksAlsoIfAllocatorFramesAreKept) {
  Profile profile = ProfileOf("main;f;malloc 3\n11\n");
  PrepareProfile(profile, {}, {.keep_allocator_frames = true});
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("[no stack] 11", "main;f;malloc 3"));
}

TEST(PrepareProfileTest, ComparesWithAnEmptyBase) {
  Profile profile = ProfileOf("main;f 3\n");
  PrepareProfile(profile, {}, {.has_base = true});
  EXPECT_TRUE(profile.is_comparison);
  profile = ProfileOf("main;f 3\n");
  PrepareProfile(profile, {}, {});
  EXPECT_FALSE(profile.is_comparison);
}

TEST(PrepareProfileTest, TellsValuesFromChanges) {
  Profile profile = BothSides("main;f 3\n", "main;f 3\n");
  PreparedStacks stacks = PrepareProfile(profile, {}, {});
  EXPECT_TRUE(stacks.has_new_side);
  EXPECT_TRUE(stacks.has_value);
  EXPECT_FALSE(stacks.has_change);
  EXPECT_EQ(stacks.metric_with_values, std::nullopt);

  profile = ProfileOf("main;f 3\n");
  stacks = PrepareProfile(profile, {}, {.metric = Metric::kAllocSpace});
  EXPECT_FALSE(stacks.has_value);
  EXPECT_FALSE(stacks.has_change);
  EXPECT_EQ(stacks.metric_with_values, Metric::kInuseSpace);

  profile = BothSides("", "main;f 3\n");
  EXPECT_FALSE(PrepareProfile(profile, {}, {}).has_new_side);
}

TEST(PrepareProfileTest, FindsOwnAllocatorsInAllStacks) {
  // Without parse, only one function uses the arena.
  const auto filters = StackFilters::Compile({.ignore = {"parse"}});
  ASSERT_TRUE(filters);
  Profile profile = ProfileOf(
      "main;load;Arena::Grow 5\n"
      "main;parse;Arena::Grow 5\n");
  const PreparedStacks stacks =
      PrepareProfile(profile, *filters, {.finds_own_code = true});
  ASSERT_EQ(profile.samples.size(), 1u);
  const auto stack = profile.StackFrames(profile.samples[0].stack);
  ASSERT_TRUE(stacks.own_code);
  const auto call = stacks.own_code->FirstOwn(profile, stack);
  ASSERT_TRUE(call);
  EXPECT_EQ(call->frame, 1u);
}

TEST(PrepareProfileTest, FiltersTheSelectedThreadByFullNames) {
  const auto filters = StackFilters::Compile({.hide = {"ns::f\\(int\\)"}});
  ASSERT_TRUE(filters);
  Profile profile = ProfileOf("main;g;ns::f(int) 1\nmain;h 2\n");
  AddToThread(0, 7, "wrk", profile);
  AddToThread(1, 8, "io", profile);
  const PreparedStacks stacks = PrepareProfile(
      profile, *filters, {.thread = "7", .names = NameStyle::kShort});
  EXPECT_TRUE(stacks.has_threads);
  EXPECT_FALSE(stacks.lacks_thread);
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;g 1"));
  ASSERT_TRUE(stacks.effects);
  std::vector<std::string> names;
  for (const FilterEffect& effect : *stacks.effects)
    names.push_back(effect.filter);
  EXPECT_THAT(names, ElementsAre("--thread=7", "--hide=ns::f\\(int\\)"));
}

TEST(PrepareProfileTest, SaysThatThereIsNoSuchThread) {
  Profile profile = ProfileOf("main;f 1\n");
  const PreparedStacks stacks =
      PrepareProfile(profile, {}, {.thread = "no such"});
  EXPECT_FALSE(stacks.has_threads);
  EXPECT_TRUE(stacks.lacks_thread);
  ASSERT_TRUE(stacks.effects);
  EXPECT_THAT(*stacks.effects, IsEmpty());
}

}  // namespace
}  // namespace heapprof
