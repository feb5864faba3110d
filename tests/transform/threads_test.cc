// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/check_valid.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two threads share a name, and the name of one is another's uid.
Profile Threaded() {
  Profile profile = ProfileOf("main;f 1\nmain;g 2\nmain;h 4\n");
  AddToThread(0, 7, "main", profile);
  AddToThread(1, 8, "wrk", profile);
  AddToThread(2, 9, "wrk", profile);
  AddToThread(0, 10, "8", profile);
  return profile;
}

std::vector<std::string> SelectedBy(std::string_view selector, bool found) {
  Profile profile = Threaded();
  const auto effect = SelectThread(profile, selector, Metric::kInuseSpace);
  EXPECT_EQ(effect.has_value(), found) << selector;
  EXPECT_EQ(CheckValid(profile), "");
  EXPECT_EQ(profile.samples.size(), profile.thread_samples.size());
  return StacksOf(profile);
}

TEST(SelectThreadTest, SelectsByUidThenByName) {
  EXPECT_THAT(SelectedBy("7", true), ElementsAre("main;f 1"));
  EXPECT_THAT(SelectedBy("8", true), ElementsAre("main;g 2"));
  EXPECT_THAT(SelectedBy("main", true), ElementsAre("main;f 1"));
  EXPECT_THAT(SelectedBy("wrk", true), ElementsAre("main;g 2", "main;h 4"));
}

// As reports call threads without a name, and dumps call all threads.
TEST(SelectThreadTest, TakesAUidAsReportsAndDumpsWriteIt) {
  EXPECT_THAT(SelectedBy("t8", true), ElementsAre("main;g 2"));
  Profile profile = Threaded();
  AddToThread(0, 11, "t8", profile);
  ASSERT_TRUE(SelectThread(profile, "t8", Metric::kInuseSpace));
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;f 1"));
}

TEST(SelectThreadTest, LeavesNothingIfTheThreadDoesNotExist) {
  for (const char* selector : {"0", "wr", "", "*", "t", "t0", "tt8"})
    EXPECT_THAT(SelectedBy(selector, false), IsEmpty());
}

TEST(SelectThreadTest, SaysWhatItRemoved) {
  Profile profile = Threaded();
  profile.thread_samples[2].values[Metric::kInuseSpace].value = -4;
  const auto effect = SelectThread(profile, "8", Metric::kInuseSpace);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->filter, "--thread=8");
  EXPECT_EQ(effect->left_stacks, 1u);
  EXPECT_EQ(effect->removed_stacks, 2u);
  EXPECT_EQ(effect->removed_value, 1 - 4 + 1);
  EXPECT_EQ(effect->removed_percent, 75);
}

TEST(SelectThreadTest, SaysWhatItRemovedFromStacksOfSeveralThreads) {
  Profile profile = ProfileOf("main;f 4\n");
  AddToThread(0, 7, "", profile);
  AddToThread(0, 8, "", profile);
  const auto effect = SelectThread(profile, "7", Metric::kInuseSpace);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->removed_stacks, 0u);
  EXPECT_EQ(effect->removed_value, 4);
  EXPECT_EQ(effect->removed_percent, 50);
}

TEST(SelectThreadTest, CountsRemovedStacksThatAreEqualOnBothSides) {
  Profile profile = Threaded();
  const size_t count = profile.thread_samples.size();
  for (size_t i = 0; i < count; ++i) {
    profile.thread_samples.push_back(profile.thread_samples[i]);
    profile.thread_samples.back().side = Side::kBase;
  }
  profile.is_comparison = true;
  const auto effect = SelectThread(profile, "7", Metric::kInuseSpace);
  ASSERT_TRUE(effect);
  EXPECT_EQ(effect->removed_stacks, 0u);
  EXPECT_EQ(effect->equal_stacks, 3u);
}

TEST(AddThreadRootsTest, PutsThreadsBelowTheirStacks) {
  Profile profile = Threaded();
  AddToThread(1, 11, "", profile);
  AddThreadRoots(profile);
  EXPECT_EQ(CheckValid(profile), "");
  EXPECT_THAT(
      StacksOf(profile),
      ElementsAre("[t10 8];main;f 1", "[t11];main;g 2", "[t7 main];main;f 1",
                  "[t8 wrk];main;g 2", "[t9 wrk];main;h 4"));
}

// "stack value" of each sample, with " of UID" for those of a thread.
std::vector<std::string> SplitOf(Profile profile) {
  SplitByThread(profile);
  EXPECT_EQ(CheckValid(profile), "");
  std::vector<std::string> stacks;
  for (const Sample& sample : std::vector<Sample>(profile.samples)) {
    profile.samples = {sample};
    stacks.push_back(StacksOf(profile).front());
    if (!sample.thread.IsNone())
      stacks.back() +=
          " of " + std::to_string(profile.threads[sample.thread.index()].uid);
  }
  return stacks;
}

TEST(SplitByThreadTest, KeepsTheValuesOfThreadsThatAddUp) {
  Profile profile = ProfileOf("main;f 5\nmain;g 2\n");
  AddToThread(0, 7, "", profile);
  AddToThread(0, 8, "wrk", profile);
  AddToThread(1, 8, "wrk", profile);
  profile.thread_samples[0].values[Metric::kInuseSpace].value = 1;
  profile.thread_samples[1].values[Metric::kInuseSpace].value = 4;
  EXPECT_THAT(SplitOf(profile),
              ElementsAre("main;f 1 of 7", "main;f 4 of 8", "main;g 2 of 8"));
}

TEST(SplitByThreadTest, CorrectsValuesThatDoNotAddUp) {
  Profile profile = ProfileOf("main;f 6\n");
  AddToThread(0, 7, "", profile);
  AddToThread(0, 8, "", profile);
  profile.thread_samples[0].values[Metric::kInuseSpace].value = 1;
  profile.thread_samples[1].values[Metric::kInuseSpace].value = 3;
  EXPECT_THAT(SplitOf(profile),
              ElementsAre("main;f 1.5 of 7", "main;f 4.5 of 8"));
  // A difference: one thread gained what the other lost.
  profile.thread_samples[0].values[Metric::kInuseSpace].value = -1;
  profile.samples[0].values[Metric::kInuseSpace].value = 3;
  EXPECT_THAT(SplitOf(profile),
              ElementsAre("main;f -0.75 of 7", "main;f 3.75 of 8"));
}

TEST(SplitByThreadTest, KeepsWhatNoThreadHas) {
  Profile profile = ProfileOf("main;f 6\nmain;g 2\n");
  AddToThread(0, 7, "", profile);
  EXPECT_THAT(SplitOf(profile), ElementsAre("main;f 6 of 7", "main;g 2"));
}

// The rest may be that of several samples.
TEST(SplitByThreadTest, SaysLittleOfTheObjectsThatNoThreadHas) {
  Profile profile = ProfileOf("main;f 6\n");
  profile.samples[0].one_size = true;
  profile.samples[0].lifetime = Lifetime::kLive;
  SplitByThread(profile);
  ASSERT_EQ(profile.samples.size(), 1u);
  EXPECT_FALSE(profile.samples[0].one_size);
  EXPECT_EQ(profile.samples[0].lifetime, Lifetime::kUnknown);
}

TEST(SplitByThreadTest, KeepsMetricsWithoutValuesAtZero) {
  Profile profile = ProfileOf("main;f 6\nmain;g 2\n");
  AddToThread(0, 7, "", profile);
  SplitByThread(profile);
  for (const Sample& sample : profile.samples)
    EXPECT_EQ(sample.values[Metric::kAllocSpace].value, 0);
}

TEST(SplitByThreadTest, DividesTheSumOfLifetimes) {
  Profile profile = ProfileOf("main;f 6\nmain;f 2\n");
  profile.samples[1].stack = profile.samples[0].stack;
  profile.samples[1].lifetime = Lifetime::kLive;
  AddToThread(0, 7, "", profile);
  EXPECT_THAT(SplitOf(profile), ElementsAre("main;f 8 of 7"));
}

TEST(SplitByThreadTest, KeepsTheSidesApart) {
  Profile profile = ProfileOf("main;f 6\nmain;f 2\n");
  profile.samples[1].stack = profile.samples[0].stack;
  profile.samples[1].side = Side::kBase;
  AddToThread(0, 7, "", profile);
  AddToThread(1, 7, "", profile);
  EXPECT_THAT(SplitOf(profile), ElementsAre("main;f 6 of 7", "main;f 2 of 7"));
}

}  // namespace
}  // namespace heapprof
