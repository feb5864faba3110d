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
#include "view/call_paths.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

// "std::" says nothing, "lib::" is a library, "pool::" an allocator, and "app+"
// begins a function without a name.
std::vector<StoryRole> RolesIn(const Profile& profile) {
  std::vector<StoryRole> roles;
  for (const Line& line : profile.lines) {
    const std::string_view name =
        profile.String(profile.functions[line.function.index()].name);
    roles.push_back(name.starts_with("lib::")    ? StoryRole::kLibrary
                    : name.starts_with("std::")  ? StoryRole::kNone
                    : name.starts_with("pool::") ? StoryRole::kOwnAllocator
                    : name.starts_with("app+")   ? StoryRole::kNameless
                                                 : StoryRole::kOwn);
  }
  return roles;
}

std::vector<std::string> StoryOf(const Profile& profile) {
  std::vector<std::string> story;
  for (const StoryChain& chain :
       MakeStory(profile, {.roles = RolesIn(profile)}))
    story.push_back(fmt::format("{}{:.0f} {}", chain.part_of ? "of it " : "",
                                chain.value(), fmt::join(chain.frames, " > ")));
  return story;
}

std::vector<std::string> StoryOf(std::string_view stacks) {
  return StoryOf(ProfileOf(stacks));
}

TEST(StoryTest, IsThatOfTheExampleInTheHeader) {
  std::string stacks =
      "main;Server::Run;Session::Open;Cache::Insert;pool::Grow;std::malloc 60\n"
      "main;Server::Run;Loader::Load;Loader::Parse;std::malloc 25\n";
  for (int i = 0; i < 15; ++i)
    stacks +=
        fmt::format("main;Server::Run;Loader::Load;f{};std::malloc 1\n", i);
  EXPECT_THAT(StoryOf(stacks),
              ElementsAre("60 Session::Open > Cache::Insert", "40 Loader::Load",
                          "of it 25 Loader::Parse"));
}

// As the example in story_names.h has it.
TEST(StoryTest, ShowsWhoTheForkTheEntryAndTheLastFunction) {
  EXPECT_THAT(
      StoryOf("main;Server::Run;lib::Write;lib::Log;lib::Add;lib::Grow 40\n"
              "main;Server::Run;lib::Write;lib::Table;lib::Add;lib::Grow 40\n"
              "main;Idle 20\n"),
      ElementsAre("80 Server::Run > lib::Write",
                  "of it 40 lib::Log > lib::Grow",
                  "of it 40 lib::Table > lib::Grow", "20 Idle"));
}

TEST(StoryTest, LeavesOutTheTrunkAndFoldsWhatDoesNotDivide) {
  EXPECT_THAT(StoryOf("main;run;open;read;fill 60\n"
                      "main;run;load;parse 40\n"),
              ElementsAre("60 open > fill", "40 load > parse"));
}

TEST(StoryTest, TellsAWholeAndWhereItDivides) {
  EXPECT_THAT(StoryOf("main;serve;split;left;x;a 30\n"
                      "main;serve;split;right;y;b 30\n"
                      "main;other 40\n"),
              ElementsAre("60 serve > split", "of it 30 left > a",
                          "of it 30 right > b", "40 other"));
}

TEST(StoryTest, APartEndsBelowWhatNearlyAllOfItGoesThrough) {
  EXPECT_THAT(StoryOf("main;serve;read;fill 53\nmain;serve;read 3\n"
                      "main;serve 4\nmain;other 40\n"),
              ElementsAre("53 serve > fill", "40 other"));
  EXPECT_THAT(StoryOf("main;serve;read;fill 45\nmain;serve;read 11\n"
                      "main;serve 4\nmain;other 40\n"),
              ElementsAre("56 serve > read", "of it 45 fill", "40 other"));
  EXPECT_THAT(StoryOf("main;serve;read 46\nmain;serve 14\nmain;other 40\n"),
              ElementsAre("60 serve", "of it 46 read", "40 other"));
}

// If some of it shrank, there may be several ways through which nearly all
// goes.
TEST(StoryTest, WhatLeavesAPartOnItsWayIsAnotherPart) {
  Profile profile = ProfileOf(
      "main;serve;a 60\nmain;serve;b 55\nmain;serve;c 1\nmain;load 40\n");
  AddBase(2, {.value = 61}, profile);
  EXPECT_THAT(StoryOf(profile),
              ElementsAre("60 serve > a", "55 serve > b", "40 load"));
}

TEST(StoryTest, WhatRejoinsAPartBelongsToIt) {
  EXPECT_THAT(StoryOf("main;sync;lib::Write;lib::Put;lib::Add;lib::Grow 60\n"
                      "main;sync;lib::Write;lib::Merge;lib::Add;lib::Grow 10\n"
                      "main;load 30\n"),
              ElementsAre("70 sync > lib::Write > lib::Grow", "30 load"));
  EXPECT_THAT(
      StoryOf("main;sync;lib::Write;lib::Put;lib::Add;lib::Grow 60\n"
              "main;sync;lib::Write;lib::Merge;lib::List 10\n"
              "main;load 30\n"),
      ElementsAre("70 sync > lib::Write", "of it 60 lib::Grow", "30 load"));
}

// The ways are told if they are large enough.
TEST(StoryTest, LargeWaysToOnePlaceArePieces) {
  EXPECT_THAT(
      StoryOf("main;sync;lib::Write;lib::Put;lib::Add;lib::Grow 50\n"
              "main;sync;lib::Write;lib::Merge;lib::Add;lib::Grow 20\n"
              "main;load 30\n"),
      ElementsAre("70 sync > lib::Write", "of it 50 lib::Put > lib::Grow",
                  "of it 20 lib::Merge > lib::Grow", "30 load"));
}

// Samples decide whether "put" is large enough, but not that "serve" holds 60.
TEST(StoryTest, ASmallerPieceChangesOnlyItsOwnLine) {
  const auto story_with = [](int put) {
    return StoryOf(
        fmt::format("main;serve;open 30\nmain;serve;put {}\n"
                    "main;serve;log {}\nmain;load 40\n",
                    put, 30 - put));
  };
  EXPECT_THAT(story_with(22), ElementsAre("60 serve", "of it 30 open",
                                          "of it 22 put", "40 load"));
  EXPECT_THAT(story_with(18), ElementsAre("60 serve", "of it 30 open",
                                          "of it 18 put", "40 load"));
  std::string stacks = "main;serve;open 30\nmain;load 40\n";
  for (int i = 0; i < 30; ++i) stacks += fmt::format("main;serve;f{} 1\n", i);
  EXPECT_THAT(StoryOf(stacks),
              ElementsAre("60 serve", "of it 30 open", "40 load"));
}

TEST(StoryTest, LeavesOutWhatMostOfTheHeapShares) {
  const auto story_with = [](int others) {
    std::string stacks = fmt::format(
        "main;loop;dispatch;get;a {0}\nmain;loop;dispatch;set;b {0}\n",
        (100 - others) / 2);
    for (int i = 0; i < others; ++i) stacks += fmt::format("main;f{} 1\n", i);
    return StoryOf(stacks);
  };
  EXPECT_THAT(story_with(10), ElementsAre("45 get > a", "45 set > b"));
  // The drop to 42 is 2.5 times the one before.
  EXPECT_THAT(story_with(16), ElementsAre("42 get > a", "42 set > b"));
  EXPECT_THAT(story_with(18),
              ElementsAre("82 loop > dispatch", "of it 41 get > a",
                          "of it 41 set > b"));
}

// Where the heap clearly divides, it does not matter how much of it "dispatch"
// has.
TEST(StoryTest, WhatIsSharedEndsWhereTheHeapClearlyDivides) {
  for (const double others : {10, 18, 22}) {
    std::string stacks;
    for (const std::string_view command : {"add", "get", "put", "set"})
      stacks += fmt::format("main;loop;dispatch;{} {}\n", command,
                            (100 - others) / 4);
    for (int i = 0; i < others; ++i) stacks += fmt::format("main;f{} 1\n", i);
    EXPECT_THAT(StoryOf(stacks),
                ElementsAre(EndsWith(" add"), EndsWith(" get"),
                            EndsWith(" put"), EndsWith(" set")));
  }
}

TEST(StoryTest, WhatLeavesTheTrunkOnItsWayIsAPart) {
  EXPECT_THAT(StoryOf("main;run;read 13\nmain;run;call;get 30\n"
                      "main;run;call;set 29\nmain;run;call;put 28\n"),
              ElementsAre("30 get", "29 set", "28 put", "13 read"));
}

TEST(StoryTest, WhatIsSharedDoesNotSayWhoOfASinglePart) {
  std::string stacks = "main;loop;run;fill 60\n";
  for (int i = 0; i < 40; ++i) stacks += fmt::format("main;loop;f{} 1\n", i);
  EXPECT_THAT(StoryOf(stacks), ElementsAre("60 run > fill"));
}

TEST(StoryTest, LambdasDoNotSayWho) {
  EXPECT_THAT(StoryOf("main;main::{lambda#1}::operator();serve;open 60\n"
                      "main;app::main::{{closure}};load 40\n"),
              ElementsAre("60 serve > open", "40 load"));
  EXPECT_THAT(StoryOf("main;main::{lambda#1}::_FUN;serve;open 60\n"
                      "main;load::$_0::__invoke;open 40\n"),
              ElementsAre("60 serve > open", "40 open"));
  EXPECT_THAT(StoryOf("main;main::{lambda#1}::operator() 60\nmain;load 40\n"),
              ElementsAre("60 main::{lambda#1}::operator()", "40 load"));
}

// Rust names the body of an async function like a closure in it.
TEST(StoryTest, ABodyOfAnAsyncFunctionSaysWho) {
  EXPECT_THAT(
      StoryOf("lib::poll;app::main::{{closure}};app::serve::{{closure}};"
              "app::get::{{closure}};read;fill 60\n"
              "lib::poll;app::flush::{{closure}};load 40\n"),
      ElementsAre("60 app::serve::{{closure}} > fill",
                  "40 app::flush::{{closure}} > load"));
  EXPECT_THAT(
      StoryOf("lib::poll;app::main::{closure#0};app::serve::{closure#0};"
              "app::get::{closure#1};read;fill 60\n"
              "lib::poll;app::flush::{closure#0};load 40\n"),
      ElementsAre("60 app::serve::{closure#0} > fill",
                  "40 app::flush::{closure#0} > load"));
}

// But a closure does not that its function calls, nor one in an async function.
TEST(StoryTest, AClosureInAFunctionDoesNotSayWho) {
  EXPECT_THAT(StoryOf("run;app::load::{{closure}};app::open;lib::each;"
                      "app::open::{{closure}};read 60\n"
                      "run;app::serve::{closure#0}::{closure#1};get;fill 40\n"),
              ElementsAre("60 app::load::{{closure}} > read", "40 get > fill"));
  EXPECT_THAT(StoryOf("app::open;lib::each;app::open::{{closure}};read 60\n"
                      "app::open;lib::each;app::open::{{closure}};put 40\n"),
              ElementsAre("60 read", "40 put"));
}

TEST(StoryTest, WhatAFunctionAllocatesItselfIsAPart) {
  EXPECT_THAT(StoryOf("main;run;serve;read 40\nmain;run;std::string 20\n"
                      "main;run;load 40\n"),
              ElementsAre("40 load", "40 serve > read", "20 run"));
}

TEST(StoryTest, CountsAllStacksThroughTheNamedFunctions) {
  EXPECT_THAT(StoryOf("main;sync;write;put;insert 60\n"
                      "main;sync;log;put;insert 1\n"
                      "main;sync;log;x 1\n"
                      "main;load 38\n"),
              ElementsAre("61 sync > insert", "38 load"));
  EXPECT_THAT(
      StoryOf("main;serve;a;f;g 22\nmain;serve;a;h;g 2\n"
              "main;serve;i 20\nmain;serve;h;i 2\n"
              "main;load;g 54\n"),
      ElementsAre("54 load > g", "46 serve", "of it 24 a > g", "of it 22 i"));
}

TEST(StoryTest, APieceThatHasNearlyAllOfItsPartEndsTheChain) {
  std::string stacks = "main;serve;a;f 24\nmain;serve;x 4\nmain;load 40\n";
  for (int i = 0; i < 32; ++i) stacks += fmt::format("main;serve;b{};f 1\n", i);
  EXPECT_THAT(StoryOf(stacks), ElementsAre("56 serve > f", "40 load"));
}

TEST(StoryTest, AlsoCountsSmallPathsThroughTheNamedFunctions) {
  EXPECT_THAT(StoryOf("main;serve;a;f 52\nmain;serve;b;f 8\n"
                      "main;load 40\n"),
              ElementsAre("60 serve > f", "40 load"));
}

TEST(StoryTest, MainIsNoAnswerIfPartOfItIsOne) {
  EXPECT_THAT(StoryOf("std::start;init;load 77\n"
                      "std::start;main;solve;open 13\n"
                      "std::start;main;post 6\n"
                      "std::start;exit 4\n"),
              ElementsAre("77 init > load", "13 solve > open"));
  EXPECT_THAT(StoryOf("start;mysqld_main;open;grow 43\n"
                      "start;mysqld_main;plug 30\n"
                      "start;serve;write 27\n"),
              ElementsAre("43 open > grow", "30 plug", "27 serve > write"));
  for (const char* name : {"app::main", "app_Main", "app::optMain"})
    EXPECT_THAT(
        StoryOf(fmt::format("start;{};open 60\nstart;serve 40\n", name)),
        ElementsAre("60 open", "40 serve"));
}

// Returns the story of a heap in which all values are sums of `count` samples.
std::vector<std::string> StoryOfSamples(std::string_view stacks, double count) {
  Profile profile = ProfileOf(stacks);
  profile.sampling_period = 1000;
  for (Sample& sample : profile.samples) {
    Estimate& value = sample.values[Metric::kInuseSpace];
    value.value *= 1e6;
    value.variance = value.value * 1e8 / count;
  }
  return StoryOf(profile);
}

// A part of 18 % exceeds an eighth by three standard errors with 536 samples,
// and one of 16 % with 1176: 0.18 - 0.125 = 3 * sqrt(0.18 / 536).
TEST(StoryTest, WithFewSamplesTellsOnlyLargeParts) {
  const std::string_view stacks = "main;a 66\nmain;b 18\nmain;c 16\n";
  EXPECT_THAT(StoryOfSamples(stacks, 1200), testing::SizeIs(3));
  EXPECT_THAT(StoryOfSamples(stacks, 1150), testing::SizeIs(2));
  EXPECT_THAT(StoryOfSamples(stacks, 550), testing::SizeIs(2));
  EXPECT_THAT(StoryOfSamples(stacks, 525), testing::SizeIs(1));
}

// A piece of 30 % exceeds an eighth by six standard errors with 353 samples,
// and one of 35 % with 249.
TEST(StoryTest, WithFewSamplesTellsOnlyLargePieces) {
  const std::string_view stacks =
      "main;a;left 35\nmain;a;right 30\nmain;b 35\n";
  EXPECT_THAT(StoryOfSamples(stacks, 360), testing::SizeIs(4));
  EXPECT_THAT(StoryOfSamples(stacks, 345), testing::SizeIs(3));
  EXPECT_THAT(StoryOfSamples(stacks, 255), testing::SizeIs(3));
  EXPECT_THAT(StoryOfSamples(stacks, 243), testing::SizeIs(2));
  EXPECT_THAT(
      StoryOfSamples("main;a;left 51\nmain;a;right 28\nmain;b 21\n", 50),
      ElementsAre("79000000 a", "of it 51000000 left"));
}

TEST(StoryTest, AQuarterOfTheHeapIsToldHoweverFewSamplesThereAre) {
  Profile profile = ProfileOf("main;a 70000000\nmain;b 30000000\n");
  profile.sampling_period = 20'000'000;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 1e15;
  EXPECT_THAT(StoryOf(profile), ElementsAre("70000000 a", "30000000 b"));
}

TEST(StoryTest, ACallerWithANameSaysWho) {
  EXPECT_THAT(StoryOf("app+1;lib::Step;lib::Insert;app+2;app+3;app+4 60\n"
                      "app+1;lib::Step;lib::Insert;app+5;app+4 40\n"),
              ElementsAre("60 lib::Insert > app+2 > app+4",
                          "40 lib::Insert > app+5 > app+4"));
  EXPECT_THAT(StoryOf("app+1;app+2;app+3 60\napp+1;app+4 40\n"),
              ElementsAre("60 app+2 > app+3", "40 app+4"));
}

TEST(StoryTest, AnAllocatorThatALibraryCallsIsTold) {
  EXPECT_THAT(StoryOf("main;lib::call;pool::get 60\n"
                      "main;fill;pool::get 40\n"),
              ElementsAre("60 pool::get", "40 fill"));
}

TEST(StoryTest, IsTheSameWithRoomForLess) {
  const Profile profile =
      ProfileOf("main;serve;left;a 40\nmain;serve;right;b 35\nmain;load 25\n");
  const auto frames = [&](size_t most) {
    std::vector<std::string> joined;
    for (const StoryChain& chain :
         MakeStory(profile, {.roles = RolesIn(profile), .most_chains = most}))
      joined.push_back(fmt::format("{}", fmt::join(chain.frames, " > ")));
    return joined;
  };
  EXPECT_THAT(frames(5), ElementsAre("serve", "left > a", "right > b", "load"));
  // Pieces are left out first, the smaller ones before others.
  EXPECT_THAT(frames(3), ElementsAre("serve", "left > a", "load"));
  EXPECT_THAT(frames(1), ElementsAre("serve"));
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

TEST(StoryTest, TellsAFunctionThatHasOnlySmallParts) {
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

TEST(StoryTest, APlaceInARecursionIsThatOfItsLastCall) {
  const Profile profile =
      ProfileOf("main%m.cc:1;eval%e.cc:5;call%c.cc:2;eval%e.cc:9 6\n");
  const auto story = MakeStory(profile, {.roles = RolesIn(profile)});
  ASSERT_EQ(story.size(), 1);
  EXPECT_EQ(story[0].line, 9);
}

TEST(StoryTest, EndsAtTheDeepestCallThatIsRead) {
  std::string stack = "f0";
  for (size_t i = 1; i < kMostCalls; ++i) stack += fmt::format(";f{}", i);
  const std::string last = fmt::format("f{}", kMostCalls - 1);
  EXPECT_THAT(StoryOf(stack + ";deeper;still 6\n" + stack + ";other 4\n"),
              ElementsAre("10 f0 > " + last));
}

TEST(StoryTest, AFunctionThatEveryStackEndsInIsTold) {
  EXPECT_THAT(StoryOf("main;run 5\n"), ElementsAre("5 run"));
  EXPECT_THAT(StoryOf("main;run;serve;fill 5\n"), ElementsAre("5 run > fill"));
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
      ElementsAre("80 a > lib::x > lib::fork", "of it 40 lib::l > lib::fill",
                  "of it 40 lib::r > lib::fill", "20 b"));
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
      "main%a.cc:3;f%b.cc:7 25\nmain%a.cc:3;f%b.cc:9 50\nmain%a.cc:4;g 25\n");
  const auto story = MakeStory(profile, {.roles = RolesIn(profile)});
  ASSERT_EQ(story.size(), 2);
  EXPECT_EQ(story[0].file, "b.cc");
  EXPECT_EQ(story[0].line, 9);
  EXPECT_EQ(story[0].percent, 75);
  EXPECT_EQ(story[1].file, "");
}

TEST(StoryTest, APlaceThatHasAtMostHalfOfTheMemoryIsNotNamed) {
  // Returns the place of the only chain of these stacks.
  const auto place_of = [](const std::string& stacks) {
    const Profile profile = ProfileOf(stacks);
    const auto story = MakeStory(profile, {.roles = RolesIn(profile)});
    return std::pair(story.at(0).file, story.at(0).line);
  };
  using Place = std::pair<std::string, uint32_t>;
  EXPECT_EQ(place_of("f%b.cc:7 25\nf%b.cc:8 26\nf%b.cc:9 49\n"),
            Place("b.cc", 0));
  EXPECT_EQ(place_of("f%b.cc:7 49\nf%b.cc:9 51\n"), Place("b.cc", 9));
  // Functions of two files may have one name.
  EXPECT_EQ(place_of("f%a.cc:7 40\nf%b.cc:9 60\n"), Place("b.cc", 9));
  EXPECT_EQ(place_of("f%a.cc:7 40\nf%b.cc:9 30\nf%b.cc:10 30\n"),
            Place("b.cc", 0));
  EXPECT_EQ(place_of("f%a.cc:7 40\nf%b.cc:9 30\nf%c.cc:9 30\n"), Place("", 0));
}

TEST(StoryTest, TellsWhatGrew) {
  Profile profile = ProfileOf("main;a 90\nmain;b 40\nmain;c 10\n");
  AddBase(0, {.value = 20}, profile);
  AddBase(1, {.value = 10}, profile);
  AddBase(2, {.value = 30}, profile);
  EXPECT_THAT(StoryOf(profile), ElementsAre("70 a", "30 b"));
}

TEST(StoryTest, TellsWhatGrewHoweverMuchShrank) {
  for (const double base : {99., 100., 101., 500.}) {
    Profile beside = ProfileOf("main;serve;a 90\nmain;load 40\n");
    AddBase(0, {.value = 30}, beside);
    AddBase(1, {.value = base}, beside);
    EXPECT_THAT(StoryOf(beside), ElementsAre("60 serve > a")) << base;
    Profile below = ProfileOf("main;serve;a 90\nmain;serve;b 40\n");
    AddBase(0, {.value = 30}, below);
    AddBase(1, {.value = base}, below);
    EXPECT_THAT(StoryOf(below), ElementsAre("60 serve > a")) << base;
  }
}

TEST(StoryTest, AShareOfWhatGrewIsOfTheFunctionThatGrewMost) {
  Profile profile = ProfileOf("main;serve;a 90\nmain;serve;b 30\nmain;c 1\n");
  AddBase(2, {.value = 1000}, profile);
  const auto story = MakeStory(profile, {.roles = RolesIn(profile)});
  ASSERT_EQ(story.size(), 3);
  EXPECT_EQ(story[0].percent, 100);
  EXPECT_EQ(story[1].percent, 75);
  EXPECT_EQ(story[2].percent, 25);
}

TEST(StoryTest, IsEmptyIfNothingGrew) {
  Profile profile = ProfileOf("main;a 90\nmain;b 40\n");
  AddBase(0, {.value = 100}, profile);
  AddBase(1, {.value = 40}, profile);
  EXPECT_THAT(StoryOf(profile), IsEmpty());
}

TEST(StoryTest, DoesNotTellWhatGrewLittleBesideALargePart) {
  Profile profile = ProfileOf("main;a 112\nmain;b 3\nmain;c 10\n");
  AddBase(2, {.value = 118}, profile);
  EXPECT_THAT(StoryOf(profile), ElementsAre("112 a"));
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
  // What b gained is more than a quarter of all.
  const auto story_with = [](double variance_of_b) {
    Profile profile = ProfileOf("main;a 9000000\nmain;b 10000000\n");
    profile.sampling_period = 1000;
    profile.samples[0].values[Metric::kInuseSpace].variance = 1e12;
    profile.samples[1].values[Metric::kInuseSpace].variance = variance_of_b;
    AddBase(0, {.value = 1e6, .variance = 1e12}, profile);
    AddBase(1, {.value = 7e6, .variance = variance_of_b}, profile);
    return StoryOf(profile);
  };
  EXPECT_THAT(story_with(1e10), ElementsAre("8000000 a", "3000000 b"));
  EXPECT_THAT(story_with(4e12), ElementsAre("8000000 a"));
}

// The one of many functions that seems to have grown most has not, most likely.
TEST(StoryTest, NeedsMoreSamplesToTellTheLargestOfMany) {
  const auto samples = [](int count) {
    return Estimate{.value = count * 1e6, .variance = count * 1e12};
  };
  const auto story_with = [&](int functions) {
    std::string stacks;
    for (int i = 0; i < functions; ++i)
      stacks += fmt::format("main;f{} {}\n", i, 1'000'000);
    Profile profile = ProfileOf(stacks);
    profile.sampling_period = 1'000'000;
    for (int i = 0; i < functions; ++i) {
      profile.samples[i].values[Metric::kInuseSpace] = samples(i == 0 ? 24 : 8);
      AddBase(i, samples(8), profile);
    }
    return StoryOf(profile);
  };
  EXPECT_THAT(story_with(3), ElementsAre("16000000 f0"));
  EXPECT_THAT(story_with(300), IsEmpty());
}

TEST(StoryTest, TellsObjectCountsThatTheirBytesProve) {
  const auto story_with = [](double now, double base) {
    const Profile profile = ComparedObjects("main;f", now, base);
    return MakeStory(
        profile, {.metric = Metric::kInuseObjects, .roles = RolesIn(profile)});
  };
  EXPECT_THAT(story_with(3000, 2000), IsEmpty());
  const auto proven = story_with(300000, 200000);
  ASSERT_EQ(proven.size(), 1);
  EXPECT_EQ(proven[0].value(), 10);
}

TEST(StoryTest, IsEmptyWithoutRoles) {
  EXPECT_THAT(MakeStory(ProfileOf("main;f 1\n"), {}), IsEmpty());
}

}  // namespace
}  // namespace heapprof
