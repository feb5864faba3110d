// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/diff.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr bool kKeepNegative = false;
constexpr bool kDropNegative = true;

// Sets the build id of every file.
Profile OfBuild(std::string_view build, Profile profile) {
  for (size_t i = 1; i < profile.mappings.size(); ++i)
    profile.mappings[i].build_id = profile.strings.Intern(build);
  return profile;
}

Profile Joined(Profile now, Profile before) {
  std::vector<MergeInput> inputs;
  inputs.push_back({std::move(now), Side::kNew});
  inputs.push_back({std::move(before), Side::kBase});
  return Merge(std::move(inputs));
}

// `now` - `before`, both of one build.
std::vector<std::string> Grown(std::string_view now, std::string_view before,
                               bool drop_negative = kKeepNegative) {
  Profile profile =
      Joined(OfBuild("a0", ProfileOf(now)), OfBuild("a0", ProfileOf(before)));
  Subtract(profile, drop_negative);
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

// The same for two builds.
std::vector<std::string> GrownAcrossBuilds(std::string_view now,
                                           std::string_view before) {
  Profile profile =
      Joined(OfBuild("a0", ProfileOf(now)), OfBuild("b1", ProfileOf(before)));
  Subtract(profile, kKeepNegative);
  return StacksOf(profile);
}

TEST(SubtractTest, OfAProfileAndItselfLeavesNothing) {
  constexpr std::string_view kStacks =
      "app!main;app!f 100\n"
      "app!main;app!g|h 0.1\n"
      "app!main;libc.so.6!qsort;app!f 1e15\n"
      "7\n";
  EXPECT_THAT(Grown(kStacks, kStacks), IsEmpty());
  EXPECT_THAT(GrownAcrossBuilds(kStacks, kStacks), IsEmpty());
}

TEST(SubtractTest, KeepsStacksOfOneSide) {
  EXPECT_THAT(Grown("app!main;app!f 100\napp!main;app!g 30\n",
                    "app!main;app!f 60\napp!main;app!h 5\n"),
              ElementsAre("main;f 40", "main;g 30", "main;h -5"));
}

TEST(SubtractTest, KeepsSubtractedValuesOfEqualStacks) {
  Profile now = OfBuild("a0", ProfileOf("app!f 100\napp!g 30\napp!h 7\n"));
  Profile before = OfBuild("a0", ProfileOf("app!f 60\napp!g 30\n"));
  for (Profile* profile : {&now, &before})
    for (Sample& sample : profile->samples)
      sample.values[Metric::kInuseSpace].variance = 2;
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  EXPECT_TRUE(profile.is_difference);
  ASSERT_EQ(profile.samples.size(), 3u);
  double subtracted = 0, variance = 0;
  for (const Sample& sample : profile.samples) {
    subtracted += profile.bases[sample.base][Metric::kInuseSpace].value;
    variance += sample.values[Metric::kInuseSpace].variance;
  }
  EXPECT_EQ(subtracted, 90);
  EXPECT_EQ(variance, 10);
  EXPECT_THAT(StacksOf(profile), ElementsAre("f 40", "h 7"));
}

TEST(SubtractTest, DropsEachStackThatShrank) {
  EXPECT_THAT(Grown("app!main;app!f 10\napp!main;app!g;app!f 50\n",
                    "app!main;app!f 60\n", kDropNegative),
              ElementsAre("main;g;f 50"));
}

TEST(SubtractTest, IgnoresRoundingErrors) {
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

TEST(SubtractTest, TellsCallSitesOfOneBuildApart) {
  // Two locations of one function: comparing only names would hide the
  // difference.
  Profile now = ProfileOf("app!main;app!f 10\n");
  Profile before = ProfileOf("app!main;app!f 4\n");
  now.locations[1].module_address += 8;
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;f -4", "main;f 10"));
}

TEST(SubtractTest, IgnoresWhereAFileWasLoaded) {
  Profile now = ProfileOf("app!main;app!f 10\n");
  Profile before = ProfileOf("app!main;app!f 4\n");
  for (Location& location : before.locations) location.address += 0x7000;
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;f 6"));
}

TEST(SubtractTest, MatchesAReturnAddressWithItsCallSiteUnderOtherNames) {
  // A dump, and a pprof profile of it that has only function names.
  Profile now = ProfileOf("app!main;app!outer|inner 10\n");
  Profile before = ProfileOf("app!main;app!outer 4\n");
  for (size_t i = 1; i < now.locations.size(); ++i) {
    now.locations[i].module_address = 0x100 * i;
    before.locations[i].module_address = 0x100 * i - 1;
    before.locations[i].is_return_address = false;
  }
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;outer|inner 6"));
}

TEST(SubtractTest, MatchesTwoBuildsByNormalisedNames) {
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

TEST(SubtractTest, KeepsOverloadsOfTwoBuildsApart) {
  EXPECT_THAT(
      GrownAcrossBuilds("app!main;app!f(int) 9\n", "app!main;app!f(char) 9\n"),
      ElementsAre("main;f(char) -9", "main;f(int) 9"));
}

TEST(SubtractTest, MatchesALibraryOfBothSidesByAddressUnderTwoBuilds) {
  Profile now = ProfileOf("app!main;libz.so.1!deflate 9\n");
  Profile before = ProfileOf("app!main;libz.so.1!deflate 9\n");
  now.mappings[2].build_id = now.strings.Intern("a0");  // app
  before.mappings[2].build_id = before.strings.Intern("b1");
  ASSERT_EQ(now.String(now.mappings[2].filename), "app");
  before.locations[1].module_address += 8;  // another call in deflate
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("main;deflate -9", "main;deflate 9"));
}

TEST(SubtractTest, AddsVariancesAndSubtractsEveryMetric) {
  Profile now = ProfileOf("app!main 10\n");
  Profile before = ProfileOf("app!main 4\n");
  now.samples[0].values[Metric::kInuseSpace].variance = 9;
  before.samples[0].values[Metric::kInuseSpace].variance = 16;
  now.samples[0].values[Metric::kAllocObjects].value = 8;
  before.samples[0].values[Metric::kAllocObjects].value = 11;
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  ASSERT_EQ(profile.samples.size(), 1u);
  const Values& values = profile.samples[0].values;
  EXPECT_EQ(values[Metric::kInuseSpace].value, 6);
  EXPECT_EQ(values[Metric::kInuseSpace].variance, 25);
  EXPECT_EQ(values[Metric::kAllocObjects].value, -3);
}

TEST(SubtractTest, KeepsAStackThatChangedInAnotherMetricOnly) {
  Profile now = ProfileOf("app!main 4\n");
  Profile before = ProfileOf("app!main 4\n");
  now.samples[0].values[Metric::kAllocSpace].value = 100;
  before.samples[0].values[Metric::kAllocSpace].value = 60;
  Profile profile = Joined(std::move(now), std::move(before));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(StacksOf(profile, Metric::kAllocSpace), ElementsAre("main 40"));
  EXPECT_THAT(StacksOf(profile), ElementsAre("main 0"));
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

// "uid name value" of each thread sample that changed.
std::vector<std::string> Threads(const Profile& profile) {
  std::vector<std::string> result;
  for (const Sample& sample : profile.thread_samples) {
    if (sample.IsUnchanged()) continue;
    const Thread& thread = profile.threads[sample.thread.index()];
    result.push_back(fmt::format("{} {} {}", thread.uid,
                                 profile.String(thread.name),
                                 sample.values[Metric::kInuseSpace].value));
  }
  return result;
}

TEST(SubtractTest, MatchesThreadsByNameElseByUid) {
  Profile profile =
      Joined(WithThreads({{1, "main", 10}, {2, "io", 20}, {3, "", 30}}),
             WithThreads({{1, "main", 4}, {7, "io", 5}, {3, "", 30}}));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(Threads(profile), ElementsAre("1 main 6", "2 io 15"));
}

TEST(SubtractTest, DoesNotTakeAUidForAName) {
  Profile profile =
      Joined(WithThreads({{7, "", 10}}), WithThreads({{1, "7", 4}}));
  Subtract(profile, kKeepNegative);
  EXPECT_THAT(Threads(profile), ElementsAre("7  10", "1 7 -4"));
}

}  // namespace
}  // namespace heapprof
