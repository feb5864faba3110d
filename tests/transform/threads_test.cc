// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(SelectThreadTest, LeavesNothingIfTheThreadDoesNotExist) {
  for (const char* selector : {"0", "wr", "", "*"})
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

}  // namespace
}  // namespace heapprof
