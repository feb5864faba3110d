// SPDX-License-Identifier: Apache-2.0
#include "compare/match_stacks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/transform/merge.h"
#include "support/check_valid.h"
#include "support/scaled_values.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(MatchStacksTest, AddsUpTheSamplesOfOneRunOnly) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf("app!f 1\napp!f 2\napp!g 4\n"), Side::kNew});
  inputs.push_back({ProfileOf("app!f 8\n"), Side::kNew});
  inputs.push_back({ProfileOf("app!f 16\n"), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  MatchStacks(SidesOfLocations(profile), profile);
  EXPECT_EQ(CheckValid(profile), "");
  ASSERT_EQ(profile.samples.size(), 4u);
  const double values[] = {3, 4, 8, 16};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(profile.samples[i].values[Metric::kInuseSpace].value, values[i]);
  const StackId f = profile.samples[0].stack;
  EXPECT_NE(profile.samples[1].stack, f);
  EXPECT_EQ(profile.samples[2].stack, f);
  EXPECT_EQ(profile.samples[2].run, 1);
  EXPECT_EQ(profile.samples[3].stack, f);
}

// As where two functions of the allocator, which reports leave out, allocated.
TEST(MatchStacksTest, KeepsSizesApart) {
  Profile now = ProfileOf("app!f 1\napp!f 2\napp!f 4\n");
  now.sampling_period = 4096;
  now.samples[0].values = ScaledValues(3, 3 * 16, 4096);
  now.samples[1].values = ScaledValues(2, 2 * 65536, 4096);
  now.samples[2].values = ScaledValues(5, 5 * 16, 4096);
  std::vector<MergeInput> inputs;
  inputs.push_back({std::move(now), Side::kNew});
  inputs.push_back({ProfileOf("app!f 8\n"), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  MatchStacks(SidesOfLocations(profile), profile);
  ASSERT_EQ(profile.samples.size(), 3u);
  EXPECT_EQ(profile.samples[1].stack, profile.samples[0].stack);
  const Values small = ScaledValues(8, 8 * 16, 4096);
  const Values large = ScaledValues(2, 2 * 65536, 4096);
  for (const Metric metric : {Metric::kInuseSpace, Metric::kInuseObjects}) {
    EXPECT_NEAR(profile.samples[0].values[metric].value, small[metric].value,
                1e-6);
    EXPECT_EQ(profile.samples[1].values[metric].value, large[metric].value);
  }
}

TEST(MatchStacksTest, GivesSamplesByThreadTheSameStacks) {
  Profile now = ProfileOf("app!main;app!f 1\n");
  Profile before = ProfileOf("app!main;app!f 2\n");
  now.thread_samples = now.samples;
  before.thread_samples = before.samples;
  std::vector<MergeInput> inputs;
  inputs.push_back({std::move(now), Side::kNew});
  inputs.push_back({std::move(before), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  MatchStacks(SidesOfLocations(profile), profile);
  ASSERT_EQ(profile.thread_samples.size(), 2u);
  for (const Sample& sample : profile.thread_samples)
    EXPECT_EQ(sample.stack, profile.samples[0].stack);
}

// Frames of one call site and of one name must not be taken for each other, and
// neither must "a|b" for two stacks that only hash alike.
TEST(MatchStacksTest, TellsSequencesOfFramesApart) {
  std::vector<MergeInput> inputs;
  inputs.push_back(
      {ProfileOf("app!a;app!b 1\napp!a 2\napp!b;app!a 4\n"), Side::kNew});
  inputs.push_back({ProfileOf("a;b 8\na 16\napp!a;b 32\n"), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  MatchStacks(SidesOfLocations(profile), profile);
  std::vector<StackId> stacks;
  for (const Sample& sample : profile.samples) stacks.push_back(sample.stack);
  std::ranges::sort(stacks);
  EXPECT_EQ(std::ranges::adjacent_find(stacks), stacks.end());
}

// As two allocations in one function, to which lines were added.
TEST(MatchStacksTest, TellsLinesOfOneBuildApart) {
  Profile now = ProfileOf(
      "app!main%a.cc:2:1;app!f%a.cc:15:10 1\n"
      "app!main%a.cc:2:1;app!f%a.cc:17:10 2\n");
  Profile before = ProfileOf(
      "app!main%a.cc:2:1;app!f%a.cc:7:5 4\n"
      "app!main%a.cc:2:1;app!f%a.cc:12:5 8\n"
      "app!main%a.cc:2:1;app!f%a.cc:9:5 16\n");
  now.mappings[1].build_id = now.strings.Intern("a0");
  before.mappings[1].build_id = before.strings.Intern("b1");
  std::vector<MergeInput> inputs;
  inputs.push_back({std::move(now), Side::kNew});
  inputs.push_back({std::move(before), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  MatchStacks(SidesOfLocations(profile), profile);
  std::map<StackId, double> of_new;
  std::vector<double> sums;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[Metric::kInuseSpace].value;
    if (sample.side == Side::kNew)
      of_new[sample.stack] = value;
    else
      sums.push_back(of_new[sample.stack] + value);
  }
  EXPECT_EQ(of_new.size(), 2u);
  EXPECT_THAT(sums, testing::ElementsAre(1 + 4 + 16, 2 + 8));
}

// Profiles with names need not have addresses.
TEST(MatchStacksTest, TellsFramesWithoutAddressesApart) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf("app!f 1\napp!g 2\n"), Side::kNew});
  inputs.push_back({ProfileOf("app!f 4\n"), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  for (Location& location : profile.locations) location.module_address = 0;
  MatchStacks(SidesOfLocations(profile), profile);
  ASSERT_EQ(profile.samples.size(), 3u);
  EXPECT_NE(profile.samples[0].stack, profile.samples[1].stack);
  EXPECT_EQ(profile.samples[0].stack, profile.samples[2].stack);
}

// Stacks of both sides, as the number of different ones.
size_t CountStacks(std::string_view now, std::string_view before) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf(now), Side::kNew});
  inputs.push_back({ProfileOf(before), Side::kBase});
  for (size_t i = 0; i < 2; ++i) {
    Profile& profile = inputs[i].profile;
    for (Mapping& mapping : profile.mappings)
      mapping.build_id =
          profile.strings.Intern(std::string(profile.String(mapping.filename)) +
                                 (i == 0 ? ".a" : ".b"));
  }
  Profile profile = Merge(std::move(inputs));
  MatchStacks(SidesOfLocations(profile), profile);
  std::set<StackId> stacks;
  for (const Sample& sample : profile.samples) stacks.insert(sample.stack);
  return stacks.size();
}

TEST(MatchStacksTest, TellsFunctionsOfOneNameInTwoModulesApart) {
  EXPECT_EQ(CountStacks("app!main;a.so!init 1\napp!main;b.so!init 2\n",
                        "app!main;b.so!init 4\n"),
            2u);
}

TEST(MatchStacksTest, TakesTheOnlyOtherModuleForTheRenamedOne) {
  EXPECT_EQ(CountStacks("app!main;a.so!init 1\n", "old!main;a.so!init 4\n"),
            1u);
  EXPECT_EQ(CountStacks("app!main;a.so!init 1\n", "old!main;b.so!init 4\n"),
            2u);
  // None of two is the only one.
  EXPECT_EQ(CountStacks("a!main 1\nb!f 2\n", "c!main 4\nd!g 8\n"), 4u);
}

}  // namespace
}  // namespace heapprof
