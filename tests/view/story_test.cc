// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/story.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "std::" and "malloc" say nothing, "lib::" is a library.
std::vector<StoryRole> RolesIn(const Profile& profile) {
  std::vector<StoryRole> roles;
  for (const Line& line : profile.lines) {
    const std::string_view name =
        profile.String(profile.functions[line.function.index()].name);
    roles.push_back(name.starts_with("lib::")   ? StoryRole::kLibrary
                    : name.starts_with("std::") ? StoryRole::kNone
                                                : StoryRole::kOwn);
  }
  return roles;
}

std::vector<std::string> StoryOf(const Profile& profile) {
  std::vector<std::string> story;
  for (const StoryChain& chain :
       MakeStory(profile, {.roles = RolesIn(profile)}))
    story.push_back(fmt::format("{:.0f} {}", chain.value(),
                                fmt::join(chain.frames, " > ")));
  return story;
}

std::vector<std::string> StoryOf(std::string_view stacks) {
  return StoryOf(ProfileOf(stacks));
}

TEST(StoryTest, LeavesOutTheTrunkAndFoldsWhatDoesNotDivide) {
  EXPECT_THAT(StoryOf("main;run;open;read;fill 60\n"
                      "main;run;load;parse 40\n"),
              ElementsAre("60 open > fill", "40 load > parse"));
}

TEST(StoryTest, NamesTheLastPlaceWhereTheHeapDivides) {
  EXPECT_THAT(
      StoryOf("main;serve;split;left;a 30\n"
              "main;serve;split;right;b 30\n"
              "main;other 40\n"),
      ElementsAre("40 other", "30 serve > split > a", "30 serve > split > b"));
}

TEST(StoryTest, NamesWhatOfALibraryTheProgramCalls) {
  EXPECT_THAT(StoryOf("main;sync;lib::Write;lib::Insert;lib::Grow 61\n"
                      "main;idle 39\n"),
              ElementsAre("61 sync > lib::Write > lib::Grow", "39 idle"));
}

TEST(StoryTest, EndsBeforeManySmallParts) {
  std::string stacks = "main;load 1\n";
  for (int i = 0; i < 50; ++i)
    stacks += fmt::format("main;parse;node{} 1\n", i);
  EXPECT_THAT(StoryOf(stacks), ElementsAre("50 parse"));
}

TEST(StoryTest, TellsAFunctionRatherThanASmallPartBelowIt) {
  std::string stacks = "main;parse;names 10\n";
  for (int i = 0; i < 50; ++i)
    stacks += fmt::format("main;parse;node{} 1\n", i);
  stacks += "main;load 40\n";
  EXPECT_THAT(StoryOf(stacks), ElementsAre("60 parse", "40 load"));
}

TEST(StoryTest, PassesThroughWhatSaysNothing) {
  EXPECT_THAT(StoryOf("main;run|std::call;std::vector;fill;std::new 7\n"
                      "main;std::thread;load;std::new 3\n"),
              ElementsAre("7 run > fill", "3 load"));
}

TEST(StoryTest, ForgetsTheCallsOfARecursionThatReturned) {
  EXPECT_THAT(StoryOf("main;eval;call;eval;list 6\n"
                      "main;eval;call;eval;call;eval;dict 4\n"),
              ElementsAre("6 list", "4 dict"));
}

TEST(StoryTest, AFunctionThatEveryStackEndsInIsTold) {
  EXPECT_THAT(StoryOf("main;run 5\n"), ElementsAre("5 run"));
  EXPECT_THAT(StoryOf("std::a;std::b 5\n"), IsEmpty());
}

TEST(StoryTest, NamesWhereLikeChainsPart) {
  EXPECT_THAT(StoryOf("main;init;heap;left;fill 50\n"
                      "main;init;heap;right;fill 50\n"),
              ElementsAre("50 left > fill", "50 right > fill"));
  EXPECT_THAT(
      StoryOf("main;a;lib::x;lib::fork;lib::l;lib::fill 40\n"
              "main;a;lib::x;lib::fork;lib::r;lib::fill 40\n"
              "main;b 20\n"),
      ElementsAre("40 a > lib::x > lib::fork > lib::l > lib::fill",
                  "40 a > lib::x > lib::fork > lib::r > lib::fill", "20 b"));
}

TEST(StoryTest, HasAtMostFivePartsTheLargestFirst) {
  EXPECT_THAT(StoryOf("main;a 12\nmain;b 13\nmain;c 14\nmain;d 15\n"
                      "main;e 16\nmain;f 17\n"),
              ElementsAre("17 f", "16 e", "15 d", "14 c", "13 b"));
}

TEST(StoryTest, EqualPartsAreInTheOrderOfTheirNames) {
  EXPECT_THAT(StoryOf("main;b 5\nmain;a 5\n"), ElementsAre("5 a", "5 b"));
}

TEST(StoryTest, ThePlaceIsThatOfMostOfTheMemory) {
  const Profile profile = ProfileOf(
      "main%a.cc:3;f%b.cc:7 30\nmain%a.cc:3;f%b.cc:9 60\nmain%a.cc:4;g 10\n");
  const auto story = MakeStory(profile, {.roles = RolesIn(profile)});
  ASSERT_EQ(story.size(), 2);
  EXPECT_EQ(story[0].file, "b.cc");
  EXPECT_EQ(story[0].line, 9);
  EXPECT_EQ(story[0].percent, 90);
  EXPECT_EQ(story[1].file, "");
}

TEST(StoryTest, TellsWhatGrew) {
  Profile profile = ProfileOf("main;a 90\nmain;b 40\nmain;c 10\n");
  AddBase(0, {.value = 20}, profile);
  AddBase(1, {.value = 10}, profile);
  AddBase(2, {.value = 30}, profile);
  EXPECT_THAT(StoryOf(profile), ElementsAre("70 a", "30 b"));
}

// Nearly as much shrank, so that each of many parts is more than a tenth of the
// growth.
TEST(StoryTest, TellsTheLargestOfManyPartsThatGrew) {
  std::string stacks;
  for (int i = 0; i < 40; ++i)
    for (int k = 0; k < 40; ++k)
      stacks += fmt::format("main;f{};g{} {}\n", i, k, 100 + 40 * i + k);
  Profile profile = ProfileOf(stacks + "main;z 1\n");
  AddBase(1600, {.value = 1.4e6}, profile);
  EXPECT_THAT(StoryOf(profile), testing::SizeIs(5));
  EXPECT_EQ(StoryOf(profile).front(), "67180 f39");
}

TEST(StoryTest, DoesNotTellNoise) {
  Profile profile = ProfileOf("main;a 9000000\nmain;b 8000000\n");
  profile.sampling_period = 1000;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 1e6 * 1e6;
  AddBase(0, {.value = 1e6, .variance = 1e6 * 1e6}, profile);
  AddBase(1, {.value = 7e6, .variance = 1e6 * 1e6}, profile);
  EXPECT_THAT(StoryOf(profile), ElementsAre("8000000 a"));
}

TEST(StoryTest, IsEmptyWithoutRoles) {
  EXPECT_THAT(MakeStory(ProfileOf("main;f 1\n"), {}), IsEmpty());
}

}  // namespace
}  // namespace heapprof
