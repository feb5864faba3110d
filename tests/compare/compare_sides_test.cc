// SPDX-License-Identifier: Apache-2.0
#include "heapprof/compare/compare_sides.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/transform/merge.h"
#include "support/both_sides.h"
#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr CompareOptions kDropNegative = {.drop_negative = true};

// Sets the build id of every file.
Profile OfBuild(std::string_view build, Profile profile) {
  for (size_t i = 1; i < profile.mappings.size(); ++i)
    profile.mappings[i].build_id = profile.strings.Intern(build);
  return profile;
}

// `now` - `before`, both of one build.
std::vector<std::string> Grown(std::string_view now, std::string_view before,
                               const CompareOptions& options = {}) {
  Profile profile = BothSides(OfBuild("a0", ProfileOf(now)),
                              OfBuild("a0", ProfileOf(before)));
  CompareSides(profile, options);
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

// The same for two builds.
std::vector<std::string> GrownAcrossBuilds(std::string_view now,
                                           std::string_view before) {
  Profile profile = BothSides(OfBuild("a0", ProfileOf(now)),
                              OfBuild("b1", ProfileOf(before)));
  CompareSides(profile, {});
  return StacksOf(profile);
}

TEST(CompareSidesTest, OfAProfileAndItselfLeavesNothing) {
  constexpr std::string_view kStacks =
      "app!main;app!f 100\n"
      "app!main;app!g|h 0.1\n"
      "app!main;libc.so.6!qsort;app!f 1e15\n"
      "7\n";
  EXPECT_THAT(Grown(kStacks, kStacks), IsEmpty());
  EXPECT_THAT(GrownAcrossBuilds(kStacks, kStacks), IsEmpty());
}

TEST(CompareSidesTest, KeepsStacksOfOneSide) {
  EXPECT_THAT(Grown("app!main;app!f 100\napp!main;app!g 30\n",
                    "app!main;app!f 60\napp!main;app!h 5\n"),
              ElementsAre("main;f 40", "main;g 30", "main;h -5"));
}

TEST(CompareSidesTest, KeepsTheValuesOfBothSides) {
  Profile now = OfBuild("a0", ProfileOf("app!f 100\napp!g 30\napp!h 7\n"));
  Profile before = OfBuild("a0", ProfileOf("app!f 60\napp!g 30\n"));
  for (Profile* profile : {&now, &before})
    for (Sample& sample : profile->samples)
      sample.values[Metric::kInuseSpace].variance = 2;
  Profile profile = BothSides(std::move(now), std::move(before));
  CompareSides(profile, {});
  EXPECT_TRUE(profile.is_comparison);
  EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseSpace].value, 90);
  EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseSpace].variance, 4);
  EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value, 137);
  EXPECT_THAT(StacksOf(profile), ElementsAre("f 40", "h 7"));
}

TEST(CompareSidesTest, DropsEachStackThatShrank) {
  EXPECT_THAT(Grown("app!main;app!f 10\napp!main;app!g;app!f 50\n",
                    "app!main;app!f 60\n", kDropNegative),
              ElementsAre("main;g;f 50"));
}

// The new side may be a difference itself.
TEST(CompareSidesTest, DropsWhatFellBelowABaseOfNothing) {
  EXPECT_THAT(Grown("app!main;app!f -5\napp!main;app!g 2\n",
                    "app!main;app!f 1\napp!main;app!f -1\napp!main;app!g 1\n",
                    kDropNegative),
              ElementsAre("main;g 1"));
  EXPECT_THAT(Grown("app!main;app!f -5\n", "app!main;app!g 0\n", kDropNegative),
              IsEmpty());
}

TEST(CompareSidesTest, DropsNothingOfWhatBothSidesLack) {
  Profile profile =
      BothSides(ProfileOf("app!main 4\n"), ProfileOf("app!main 9\n"));
  CompareSides(profile, kDropNegative);
  for (const Side side : kSides)
    EXPECT_EQ(TotalOf(profile, side)[Metric::kAllocSpace].value, 0);
}

TEST(CompareSidesTest, IgnoresRoundingErrors) {
  // Sums of the same numbers in different orders.
  EXPECT_THAT(Grown("app!main 0.1\napp!main 0.2\napp!main 0.3\n",
                    "app!main 0.3\napp!main 0.2\napp!main 0.1\n"),
              IsEmpty());
  // In a heap of 16 TiB, the smallest change counts as none.
  EXPECT_THAT(Grown("app!main 17592186044417\n", "app!main 17592186044416\n"),
              IsEmpty());
  EXPECT_THAT(Grown("app!main 1048577\n", "app!main 1048576\n"),
              ElementsAre("main 1"));
}

TEST(CompareSidesTest, TellsCallSitesOfOneBuildApart) {
  // Two locations of one function: comparing only names would hide the
  // difference.
  Profile now = ProfileOf("app!main;app!f 10\n");
  Profile before = ProfileOf("app!main;app!f 4\n");
  now.locations[1].module_address += 8;
  Profile profile = BothSides(std::move(now), std::move(before));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;f -4", "main;f 10"));
}

TEST(CompareSidesTest, IgnoresWhereAFileWasLoaded) {
  Profile now = ProfileOf("app!main;app!f 10\n");
  Profile before = ProfileOf("app!main;app!f 4\n");
  for (Location& location : before.locations) location.address += 0x7000;
  Profile profile = BothSides(std::move(now), std::move(before));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;f 6"));
}

TEST(CompareSidesTest, MatchesCallsInAFileThatHasAnotherPathInEachRun) {
  std::vector<MergeInput> inputs;
  for (const auto& [stack, build, side] :
       {std::tuple{"app!main;/tmp/1/lib.so!run;app!f 10\n", "a0", Side::kNew},
        std::tuple{"app!main;/tmp/2/lib.so!run;app!f 30\n", "a0", Side::kNew},
        std::tuple{"app!main;/tmp/3/lib.so!run;app!f 20\n", "b1",
                   Side::kBase}}) {
    Profile run = ProfileOf(stack);
    for (Mapping& mapping : run.mappings)
      if (run.String(mapping.filename) == "app")
        mapping.build_id = run.strings.Intern(build);
    for (Location& location : run.locations)
      if (run.String(run.mappings[location.mapping.index()].filename) != "app")
        location.module_address = 0x100;
    inputs.push_back({std::move(run), side});
  }
  Profile profile = Merge(std::move(inputs));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), IsEmpty());
}

TEST(CompareSidesTest, MatchesAReturnAddressWithItsCallSiteUnderOtherNames) {
  // A dump, and a pprof profile of it that has only function names.
  Profile now = ProfileOf("app!main;app!outer|inner 10\n");
  Profile before = ProfileOf("app!main;app!outer 4\n");
  for (size_t i = 1; i < now.locations.size(); ++i) {
    now.locations[i].module_address = 0x100 * i;
    before.locations[i].module_address = 0x100 * i - 1;
    before.locations[i].is_return_address = false;
  }
  Profile profile = BothSides(std::move(now), std::move(before));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;outer|inner 6"));
}

TEST(CompareSidesTest, MatchesTwoBuildsByNormalisedNames) {
  struct Case {
    const char* now;
    const char* before;
  };
  for (const auto& [now, before] :
       {Case{"app!main;app!f(int) [clone .isra.0]", "app!main;app!f(int)"},
        Case{"app!main;app!f.constprop.0", "app!main;app!f"},
        Case{"app!main;app!main::{lambda(int)#2}::operator()(int) const",
             "app!main;app!main::{lambda(int)#1}::operator()(int) const"},
        Case{"app!main;app!a::b::h0123456789abcdef",
             "app!main;app!a::b::hfedcba9876543210"},
        // Inlined in one build, called in the other.
        Case{"app!main|f(int)|g()", "app!main;app!f(int);app!g()"},
        Case{"app!main|f(int);app!g()", "app!main;app!f(int)|g()"}}) {
    EXPECT_THAT(GrownAcrossBuilds(std::string(now) + " 9\n",
                                  std::string(before) + " 9\n"),
                IsEmpty())
        << now;
  }
}

TEST(CompareSidesTest, MatchesALibraryOfBothSidesByAddressUnderTwoBuilds) {
  Profile now = ProfileOf("app!main;libz.so.1!deflate 9\n");
  Profile before = ProfileOf("app!main;libz.so.1!deflate 9\n");
  now.mappings[2].build_id = now.strings.Intern("a0");  // app
  before.mappings[2].build_id = before.strings.Intern("b1");
  ASSERT_EQ(now.String(now.mappings[2].filename), "app");
  before.locations[1].module_address += 8;  // another call in deflate
  Profile profile = BothSides(std::move(now), std::move(before));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("main;deflate -9", "main;deflate 9"));
}

TEST(CompareSidesTest, LowersTheBaseOfWhatShrankInEveryRun) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf("app!f 10\napp!g 9\n"), Side::kNew});
  inputs.push_back({ProfileOf("app!f 60\napp!g 2\n"), Side::kBase});
  inputs.push_back({ProfileOf("app!f 20\napp!h 8\n"), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  CompareSides(profile, kDropNegative);
  // Of 40 in the mean, f keeps 10.
  EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseSpace].value, 11);
  EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value, 19);
  EXPECT_THAT(StacksOf(profile), ElementsAre("g 8"));
}

TEST(CompareSidesTest, KeepsAStackThatChangedInAnotherMetricOnly) {
  Profile now = ProfileOf("app!main 4\n");
  Profile before = ProfileOf("app!main 4\n");
  now.samples[0].values[Metric::kAllocSpace].value = 100;
  before.samples[0].values[Metric::kAllocSpace].value = 60;
  Profile profile = BothSides(std::move(now), std::move(before));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile, Metric::kAllocSpace), ElementsAre("main 40"));
  EXPECT_THAT(StacksOf(profile), IsEmpty());
}

// The value of one stack in a thread.
struct ThreadValue {
  uint64_t uid;
  std::string name;
  double value;
};

Profile WithThreads(const std::vector<ThreadValue>& threads) {
  ProfileBuilder builder(ProfileOf("app!main 1\n"));
  for (const auto& [uid, name, value] : threads) {
    Sample sample = {.stack = {1}, .thread = builder.InternThread(uid, name)};
    sample.values[Metric::kInuseSpace].value = value;
    builder.AddThreadSample(sample);
  }
  return std::move(builder).Finish();
}

// "uid name value" of each thread that changed.
std::vector<std::string> Threads(const Profile& profile) {
  std::map<ThreadId, double> changes;
  for (const Sample& sample : profile.thread_samples) {
    const double value = sample.values[Metric::kInuseSpace].value;
    changes[ShownThread(profile, sample.thread)] +=
        sample.side == Side::kNew ? value : -value;
  }
  std::vector<std::string> result;
  for (const auto& [id, change] : changes) {
    if (change == 0) continue;
    const Thread& thread = profile.threads[id.index()];
    result.push_back(fmt::format("{} {} {}", thread.uid,
                                 profile.String(thread.name), change));
  }
  return result;
}

TEST(CompareSidesTest, MatchesThreadsByNameElseByUid) {
  Profile profile =
      BothSides(WithThreads({{1, "main", 10}, {2, "io", 20}, {3, "", 30}}),
                WithThreads({{1, "main", 4}, {7, "io", 5}, {3, "", 30}}));
  CompareSides(profile, {});
  EXPECT_THAT(Threads(profile), ElementsAre("1 main 6", "2 io 15"));
}

// Their numbers may be in another order in another process.
TEST(CompareSidesTest, ShowsNamelessThreadsOfSeveralProcessesAsOne) {
  Profile profile =
      BothSides(WithThreads({{0, "", 1}, {1, "", 2}, {2, "", 40}}),
                WithThreads({{0, "", 3}, {1, "", 9}, {2, "", 5}}));
  Profile one_process = profile;
  one_process.mixes_processes = false;
  CompareSides(one_process, {});
  EXPECT_THAT(Threads(one_process), ElementsAre("0  -2", "1  -7", "2  35"));
  profile.mixes_processes = true;
  CompareSides(profile, {});
  EXPECT_THAT(Threads(profile), ElementsAre("0  -2", "1 [no name] 28"));
}

TEST(CompareSidesTest, ShowsThreadsOfOneNameAsOne) {
  Profile profile = BothSides(WithThreads({{1, "io", 10}, {2, "io", 20}}),
                              WithThreads({{1, "io", 4}, {7, "io", 5}}));
  CompareSides(profile, {});
  EXPECT_THAT(Threads(profile), ElementsAre("1 io 21"));
  // They stay apart, because threads may share a random seed.
  EXPECT_EQ(profile.thread_samples.size(), 4u);
}

TEST(CompareSidesTest, DoesNotTakeAUidForAName) {
  Profile profile =
      BothSides(WithThreads({{7, "", 10}}), WithThreads({{1, "7", 4}}));
  CompareSides(profile, {});
  EXPECT_THAT(Threads(profile), ElementsAre("7  10", "1 7 -4"));
}

}  // namespace
}  // namespace heapprof
