// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/slab_holders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/holder_case.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// Sets the counts of a sample as a dump has them.
void SetCounts(Sample& sample, double objects, double bytes, double period) {
  const Unbiased values = Unbias(objects, bytes, period);
  sample.values[Metric::kInuseObjects] = values.objects;
  sample.values[Metric::kInuseSpace] = values.bytes;
}

TEST(FindSizesTest, TellsCleanStacksFromMixedOnes) {
  constexpr uint64_t kPeriod = 1 << 19;
  Profile profile = ProfileOf("a!a 1\na!b 1\na!c 1\na!d 1");
  profile.sampling_period = kPeriod;
  const double counts[][2] = {{100, 22396}, {10, 1700}, {3, 90000}, {2, 256}};
  for (size_t i = 0; i < 4; ++i)
    SetCounts(profile.samples[i], counts[i][0], counts[i][1], kPeriod);
  const std::vector<SmallClass> classes = {
      {.size = 128}, {.size = 160}, {.size = 192}, {.size = 224}};
  const SampledObjectSizes sizes = FindSizes(profile, classes);
  ASSERT_EQ(sizes.stacks.size(), 2u);
  EXPECT_EQ(sizes.stacks[0].size, 224u);
  EXPECT_EQ(sizes.stacks[0].count, 100u);
  EXPECT_EQ(sizes.stacks[1].size, 128u);
  EXPECT_EQ(sizes.mixed_stacks, 1u);
  EXPECT_EQ(sizes.mixed_objects, 10u);
  EXPECT_EQ(sizes.sampling_period, kPeriod);
}

// jemalloc 5.3 dumps this for 4031 samples of 8 KiB.
TEST(FindSizesTest, KnowsObjectsOfOneSizeFromTheRoundingOfJemalloc) {
  constexpr uint64_t kPeriod = 16384;
  Profile profile = ProfileOf("a!a 1\na!b 1");
  profile.sampling_period = kPeriod;
  SetCounts(profile.samples[0], 4031, 33567315, kPeriod);
  SetCounts(profile.samples[1], 4031, 33667315, kPeriod);
  const std::vector<SmallClass> classes = {
      {.size = 7168}, {.size = 8192}, {.size = 10240}};
  const SampledObjectSizes sizes = FindSizes(profile, classes);
  ASSERT_EQ(sizes.stacks.size(), 1u);
  EXPECT_EQ(sizes.stacks[0].stack, profile.samples[0].stack);
  EXPECT_EQ(sizes.stacks[0].size, 8192u);
  EXPECT_EQ(sizes.mixed_stacks, 1u);
}

TEST(AddHoldersTest, BoundsWhatObjectsCanKeep) {
  HolderCase example;
  // Every object was sampled: 318000 and 2000 of 320000.
  example.now.sampling_period = 1;
  example.now.stacks = {{StackId{1}, 128, 318000}, {StackId{2}, 128, 2000}};
  const Waterfall waterfall = Explained(example);
  const auto& holders = waterfall.classes.front().holders;
  ASSERT_EQ(holders.size(), 2u);
  constexpr uint64_t kFree = 320000 * 128, kEach = 63 * 128;
  EXPECT_THAT(holders[0].frames, ElementsAre("f1", "main"));
  EXPECT_EQ(holders[0].at_most, kFree);
  EXPECT_EQ(holders[0].at_least, kFree - 2000 * kEach);
  EXPECT_EQ(holders[1].at_most, 2000 * kEach);
  EXPECT_EQ(holders[1].at_least, 0u);
  EXPECT_EQ(holders[1].objects, 2000);
  EXPECT_FALSE(holders[1].kept);
}

TEST(AddHoldersTest, SharesWhatWasAdded) {
  HolderCase example;
  example.base = GrowingBase();
  example.base_sizes.sampling_period = example.now.sampling_period = 1;
  example.now.stacks = {
      {StackId{1}, 128, 300}, {StackId{2}, 128, 40}, {StackId{3}, 128, 50}};
  example.base_sizes.stacks = {
      {StackId{1}, 128, 300}, {StackId{3}, 128, 30}, {StackId{4}, 128, 7}};
  const Waterfall waterfall = Explained(example);
  const auto& holders = waterfall.classes.front().holders;
  ASSERT_EQ(holders.size(), 4u);
  EXPECT_EQ(holders[0].frames.front(), "f2");
  EXPECT_DOUBLE_EQ(holders[0].added_share, 40.0 / 60);
  EXPECT_EQ(holders[1].frames.front(), "f3");
  EXPECT_DOUBLE_EQ(holders[1].added_objects, 20);
  EXPECT_EQ(holders[2].frames.front(), "f1");
  EXPECT_EQ(holders[2].added_share, 0);
  EXPECT_EQ(holders[3].added_objects, -7);
}

TEST(AddHoldersTest, AddsUpStacksWithEqualNames) {
  HolderCase example;
  example.now.stacks = {{StackId{1}, 128, 3}, {StackId{11}, 128, 4}};
  const Waterfall waterfall = Explained(example);
  ASSERT_EQ(waterfall.classes.front().holders.size(), 1u);
  EXPECT_EQ(waterfall.classes.front().holders[0].samples, 7u);
}

TEST(AddHoldersTest, ReplaysTheObjectsOfTheClass) {
  HolderCase example;
  example.log = LogWith({.objects = 64, .freed = 32});
  example.log->push_back(
      {.stack = StackId{9}, .size = 256, .freed = RecentAllocation::kNever});
  const Waterfall waterfall = Explained(example);
  const ClassWaste& waste = waterfall.classes.front();
  ASSERT_TRUE(waste.replay);
  EXPECT_TRUE(waste.replay->fits);
  EXPECT_EQ(waste.replay->objects, 64u);
  EXPECT_EQ(waste.replay->live, 32u);
  EXPECT_DOUBLE_EQ(waste.replay->free_share, 0.5);
  EXPECT_DOUBLE_EQ(waste.replay->actual_share, 0.5);
  ASSERT_TRUE(waste.holders.front().kept);
  EXPECT_EQ(waste.holders.front().kept->share, 1);
}

TEST(AddHoldersTest, LeavesClassesWithLittleFreeAlone) {
  HolderCase example;
  example.inputs.stats.total->small->front().regions = 640000 - 8191;
  EXPECT_TRUE(Explained(example).classes.front().holders.empty());
  example.inputs.stats.total->small->front().regions = 640000 - 8192;
  EXPECT_FALSE(Explained(example).classes.front().holders.empty());
}

}  // namespace
}  // namespace heapprof
