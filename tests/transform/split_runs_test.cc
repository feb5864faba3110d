// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/split_runs.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/transform/filter_stacks.h"
#include "support/check_valid.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Two runs: "a" is in the first one, "b" in the second one, "c" in both.
Profile TwoRuns() {
  Profile profile = ProfileOf("a 1\nb 2\nc 3\nc 4\n");
  profile.samples[1].run = 1;
  profile.samples[3].run = 1;
  profile.runs.now = {{.sampling_period = 100, .thread_stacks = 7},
                      {.sampling_period = 200, .thread_stacks = 8}};
  return profile;
}

TEST(SplitRunsTest, GivesEachRunItsOwnSamples) {
  const std::vector<Profile> runs = SplitRuns(TwoRuns());
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_THAT(StacksOf(runs[0]), ElementsAre("a 1", "c 3"));
  EXPECT_THAT(StacksOf(runs[1]), ElementsAre("b 2", "c 4"));
}

TEST(SplitRunsTest, GivesEachRunItsOwnThreadSamples) {
  Profile profile = TwoRuns();
  AddToThread(0, 5, "first", profile);
  AddToThread(3, 6, "second", profile);
  const std::vector<Profile> runs = SplitRuns(std::move(profile));
  ASSERT_THAT(runs, SizeIs(2));
  ASSERT_THAT(runs[0].thread_samples, SizeIs(1));
  ASSERT_THAT(runs[1].thread_samples, SizeIs(1));
  EXPECT_EQ(runs[0].threads[runs[0].thread_samples[0].thread.index()].uid, 5U);
  EXPECT_EQ(runs[1].threads[runs[1].thread_samples[0].thread.index()].uid, 6U);
}

TEST(SplitRunsTest, MakesProfilesThatLookAsIfReadAlone) {
  const std::vector<Profile> runs = SplitRuns(TwoRuns());
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[0].sampling_period, 100U);
  EXPECT_EQ(runs[1].sampling_period, 200U);
  EXPECT_EQ(runs[0].thread_stacks.now, 7U);
  EXPECT_EQ(runs[1].thread_stacks.now, 8U);
  for (const Profile& run : runs) {
    EXPECT_THAT(run.runs.now, IsEmpty());
    for (const Sample& sample : run.samples) EXPECT_EQ(sample.run, 0);
    EXPECT_EQ(CheckValid(run), "");
  }
}

TEST(SplitRunsTest, KeepsARunWithoutSamples) {
  Profile profile = TwoRuns();
  profile.runs.now.insert(profile.runs.now.begin() + 2,
                          {.sampling_period = 300, .thread_stacks = 9});
  const std::vector<Profile> runs = SplitRuns(std::move(profile));
  ASSERT_THAT(runs, SizeIs(3));
  EXPECT_THAT(runs[2].samples, IsEmpty());
  EXPECT_EQ(runs[2].sampling_period, 300U);
}

TEST(SplitRunsTest, TakesAProfileWithoutRunsForOne) {
  Profile profile = ProfileOf("a 1\nb 2\n");
  profile.sampling_period = 50;
  profile.thread_stacks.now = 3;
  const std::vector<Profile> runs = SplitRuns(std::move(profile));
  ASSERT_THAT(runs, SizeIs(1));
  EXPECT_THAT(StacksOf(runs[0]), ElementsAre("a 1", "b 2"));
  EXPECT_EQ(runs[0].sampling_period, 50U);
  EXPECT_EQ(runs[0].thread_stacks.now, 3U);
}

TEST(ForEachRunTest, KeepsWhatIsKnownOfTheRun) {
  Profile profile = TwoRuns();
  profile.runs.now[1].dropped_threads = 3;
  profile.compares_builds = true;
  profile.filtered_thread_samples = {profile.samples[0], profile.samples[1]};
  std::vector<std::string> seen;
  ForEachRun(profile, [&](const Profile& run) {
    ASSERT_THAT(run.runs.now, SizeIs(1));
    EXPECT_EQ(CheckValid(run), "");
    EXPECT_FALSE(run.compares_builds);
    for (const std::string& stack : StacksOf(run)) seen.push_back(stack);
    seen.push_back(fmt::format("{} {} {}", run.sampling_period,
                               run.runs.now[0].dropped_threads,
                               run.filtered_thread_samples.size()));
  });
  EXPECT_THAT(seen,
              ElementsAre("a 1", "c 3", "100 0 1", "b 2", "c 4", "200 3 1"));
}

TEST(ForEachRunTest, TakesAProfileWithoutRunsForOne) {
  size_t calls = 0;
  ForEachRun(ProfileOf("a 1\n"), [&](const Profile& run) {
    ++calls;
    EXPECT_THAT(StacksOf(run), ElementsAre("a 1"));
  });
  EXPECT_EQ(calls, 1u);
}

TEST(DropUnusedNamesTest, KeepsThoseOfItsSamples) {
  Profile profile = ProfileOf("main;a 1\nmain;b 2\n");
  profile.samples.pop_back();
  DropUnusedNames(profile);
  std::vector<uint32_t> counts;
  for (const Location& location : profile.locations)
    counts.push_back(location.lines.count);
  // Locations are added leaf first.
  EXPECT_THAT(counts, ElementsAre(0, 1, 1, 0));
}

TEST(KeepRunsTest, KeepsOneOfTwoRuns) {
  Profile profile = TwoRuns();
  const std::vector<Profile> runs = SplitRuns(profile);
  KeepRuns(std::vector<size_t>{1}, profile);
  EXPECT_EQ(StacksOf(profile), StacksOf(runs[1]));
  ASSERT_THAT(profile.runs.now, SizeIs(1));
  EXPECT_EQ(profile.runs.now[0].sampling_period, 200U);
  EXPECT_EQ(profile.thread_stacks.now, 8U);
  for (const Sample& sample : profile.samples) EXPECT_EQ(sample.run, 0);
  EXPECT_EQ(CheckValid(profile), "");
}

TEST(KeepRunsTest, KeepsWhatFiltersRemovedFromTheRun) {
  Profile profile = TwoRuns();
  const auto filters = StackFilters::Compile({.focus = "^c$"});
  ASSERT_TRUE(filters);
  ASSERT_TRUE(filters->Apply(profile, Metric::kInuseSpace));
  KeepRuns(std::vector<size_t>{1}, profile);
  EXPECT_THAT(StacksOf(profile), ElementsAre("c 4"));
  EXPECT_EQ(profile.filtered_out.now[Metric::kInuseSpace].value, 2);
}

TEST(KeepRunsTest, KeepsAllRuns) {
  Profile profile = TwoRuns();
  const std::vector<std::string> stacks = StacksOf(profile);
  KeepRuns(std::vector<size_t>{0, 1}, profile);
  EXPECT_EQ(StacksOf(profile), stacks);
  EXPECT_EQ(profile.thread_stacks.now, 15U);
}

}  // namespace
}  // namespace heapprof
