// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/regex.h"
#include "heapprof/compare/compare_sides.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/transform/groups.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/story.h"
#include "support/comparison.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Metric kMetric = Metric::kInuseSpace;
constexpr Side kNow = Side::kNew, kBase = Side::kBase;

struct TestSample {
  std::string stack;
  double value = 0;
  Side side = kNow;
  uint16_t run = 0;
};

// The comparison of one run on each side, or as many as the samples have. The
// variance of a value is that of samples of `period` bytes.
Profile Merged(const std::vector<TestSample>& samples, uint64_t period = 1) {
  std::string text;
  for (const TestSample& sample : samples)
    text += fmt::format("{} {}\n", sample.stack, sample.value);
  Profile profile = ProfileOf(text);
  profile.sampling_period = period;
  const InputRun run = {.sampling_period = period};
  profile.runs = {std::vector{run}, std::vector{run}};
  size_t i = 0;
  for (const TestSample& sample : samples) {
    Sample& made = profile.samples[i++];
    made.side = sample.side;
    made.run = sample.run;
    made.values[kMetric].variance = sample.value * static_cast<double>(period);
    auto& runs = profile.runs[sample.side];
    runs.resize(std::max<size_t>(runs.size(), sample.run + 1U), run);
  }
  profile.compares_builds = true;
  CompareSides(profile, {});
  return profile;
}

Comparison CompareBytes(const Profile& profile,
                        CompareBy by = CompareBy::kFunction) {
  return Compare(profile, {.metric = kMetric, .by = by});
}

size_t IndexOfKey(const Comparison& comparison, std::string_view key) {
  const auto found =
      std::ranges::find(comparison.entries, key, &ComparisonEntry::key);
  EXPECT_NE(found, comparison.entries.end()) << key;
  return static_cast<size_t>(found - comparison.entries.begin());
}

EntryStacks StacksOfKey(const Comparison& comparison, std::string_view key) {
  const std::array entries = {IndexOfKey(comparison, key)};
  return FindStacksOf(entries, comparison).front();
}

Growth GrowthOfKeyWithout(const Profile& profile, const Comparison& comparison,
                          std::string_view key,
                          std::span<const size_t> callees) {
  return GrowthWithout(profile, SamplesByStack(profile, profile.samples),
                       comparison, StacksOfKey(comparison, key), callees);
}

const ComparisonEntry& EntryOf(const Comparison& comparison,
                               std::string_view key) {
  return comparison.entries[IndexOfKey(comparison, key)];
}

// "KEY CHANGE", in the order of the entries.
std::vector<std::string> Changes(const Comparison& comparison) {
  std::vector<std::string> changes;
  for (const ComparisonEntry& entry : comparison.entries)
    changes.push_back(fmt::format("{} {}", entry.key, entry.change));
  return changes;
}

TEST(CompareTest, CountsAStackOnceForEachFunctionInIt) {
  const Profile profile = Merged({{"main;f;f|g", 10}, {"main;f", 4, kBase}});
  EXPECT_THAT(Changes(CompareBytes(profile)),
              ElementsAre("g 10", "f 6", "main 6"));
}

TEST(CompareTest, SortsByAbsoluteChange) {
  const Profile profile =
      Merged({{"up", 3}, {"same", 7}, {"same", 7, kBase}, {"down", 5, kBase}});
  const Comparison comparison = CompareBytes(profile);
  EXPECT_THAT(Changes(comparison), ElementsAre("down -5", "up 3", "same 0"));
  EXPECT_TRUE(EntryOf(comparison, "down").is_gone);
  EXPECT_TRUE(EntryOf(comparison, "up").is_new);
  const ComparisonEntry& same = EntryOf(comparison, "same");
  EXPECT_FALSE(same.is_new || same.is_gone || same.has_changed);
  EXPECT_EQ(comparison.total.change, -2);
}

TEST(CompareTest, JudgesSampledObjectsByTheirBytes) {
  const auto has_changed = [](uint64_t period) {
    // More objects of fewer bytes.
    Profile profile = ComparedObjects("f", 30'000, 90'000);
    profile.sampling_period = period;
    return Compare(profile, {.metric = Metric::kInuseObjects})
        .entries.at(0)
        .has_changed;
  };
  EXPECT_FALSE(has_changed(1000));
  EXPECT_TRUE(has_changed(1));
}

TEST(CompareTest, MatchesFunctionsOfTwoBuilds) {
  const Profile profile =
      Merged({{"app!ns::f(int) [clone .isra.0]", 5},
              {"old!ns::f(int)", 5, kBase},
              {"app!main::{lambda(int)#2}::operator()(int)", 4},
              {"old!main::{lambda(int)#1}::operator()(int)", 4, kBase},
              {"app!ns::g(int, char)", 3},
              {"old!ns::g", 3, kBase}});
  for (const ComparisonEntry& entry : CompareBytes(profile).entries)
    EXPECT_EQ(entry.change, 0) << entry.key;
}

TEST(CompareTest, AveragesTheRunsOfASide) {
  const Profile profile = Merged({{"f", 10, kNow, 0},
                                  {"f", 20, kNow, 1},
                                  {"f", 4, kBase, 0},
                                  {"g", 2, kBase, 1}});
  const Comparison comparison = CompareBytes(profile);
  const ComparisonEntry& f = EntryOf(comparison, "f");
  EXPECT_EQ(f.growth.now.mean.value, 15);
  EXPECT_EQ(f.growth.base.mean.value, 2);
  EXPECT_THAT(f.runs.now, ElementsAre(10, 20));
  EXPECT_THAT(f.runs.base, ElementsAre(4));
  EXPECT_EQ(comparison.total.change, 12);
  EXPECT_EQ(comparison.sides.now.runs, 2U);
}

TEST(CompareTest, WidensErrorsByHowMuchRunsDiffer) {
  const auto variance_of = [](double low, double high) {
    std::vector<TestSample> samples = {
        {"g", 10000, kNow, 0}, {"g", 10000, kNow, 1}, {"g", 10000, kNow, 2}};
    for (const char* function : {"a", "b", "c", "d", "e", "f"}) {
      samples.push_back({function, low, kNow, 0});
      samples.push_back({function, 10000, kNow, 1});
      samples.push_back({function, high, kNow, 2});
    }
    const Profile profile = Merged(samples, 100);
    const Comparison comparison = CompareBytes(profile);
    EXPECT_GE(comparison.sides.now.dispersion, 1);
    EXPECT_EQ(comparison.sides.base.dispersion, 1);
    const MeasuredSide& g = EntryOf(comparison, "g").growth.now;
    EXPECT_EQ(GrowthOfKeyWithout(profile, comparison, "g", {}).now.between_runs,
              g.between_runs);
    return std::max(g.mean.variance, g.between_runs);
  };
  const double stated = 10000.0 * 100 / 3;
  EXPECT_DOUBLE_EQ(variance_of(10000, 10000), stated);
  // Runs of many entries that differ widen the errors of all.
  EXPECT_GT(variance_of(8500, 11500), 1.5 * stated);
}

TEST(CompareTest, ProvesNoMoreThanExactRunsTell) {
  std::vector<TestSample> samples = {
      {"f", 900, kNow, 0},   {"f", 1200, kNow, 1}, {"f", 1100, kNow, 2},
      {"f", 1000, kBase, 0}, {"f", 800, kBase, 1}, {"f", 1200, kBase, 2}};
  for (uint16_t run = 0; run < 3; ++run) {
    samples.push_back({"g", 700, kNow, run});
    samples.push_back({"g", 600, kBase, run});
    for (const char* unchanged : {"a", "b", "c", "d", "e"})
      for (const Side side : kSides)
        samples.push_back({unchanged, 500, side, run});
  }
  const Profile profile = Merged(samples);
  const Comparison comparison = CompareBytes(profile);
  const ComparisonEntry& f = EntryOf(comparison, "f");
  EXPECT_TRUE(f.is_noise);
  EXPECT_FALSE(f.has_changed);
  EXPECT_LT(f.interval.lower, -100);
  EXPECT_TRUE(EntryOf(comparison, "g").has_changed);
  EXPECT_LT(comparison.total.interval.lower, 0);
}

TEST(CompareTest, WidensOnlyTheErrorsOfAnEntryThatVariesOnItsOwn) {
  std::vector<TestSample> samples = {
      {"f", 10000, kNow, 0}, {"f", 90000, kNow, 1}, {"f", 10000, kNow, 2}};
  for (const char* function : {"a", "b", "g"})
    for (uint16_t run = 0; run < 3; ++run)
      samples.push_back({function, 10000, kNow, run});
  const Profile profile = Merged(samples, 100);
  const Comparison comparison = CompareBytes(profile);
  const auto variance_of = [&](std::string_view key) {
    return EntryOf(comparison, key).growth.now.between_runs;
  };
  const double stated = 10000.0 * 100 / 3;
  EXPECT_LT(variance_of("g"), stated);
  EXPECT_GT(variance_of("f"), 10 * stated);
  EXPECT_EQ(GrowthOfKeyWithout(profile, comparison, "f", {}).now.between_runs,
            variance_of("f"));
}

TEST(CompareTest, AgreesWithTheStoryAboutAFunctionThatVariesOnItsOwn) {
  // No single stack of f varies much, but they vary together.
  std::vector<TestSample> samples;
  for (uint16_t run = 0; run < 3; ++run) {
    samples.push_back({"main;g", 100000, kNow, run});
    samples.push_back({"main;g", 50000, kBase, run});
    for (int i = 0; i < 20; ++i) {
      const std::string stack = fmt::format("main;f;f{}", i);
      samples.push_back({stack, 8500.0 + 1500 * run, kNow, run});
      samples.push_back({stack, 4000, kBase, run});
    }
  }
  const Profile profile = Merged(samples, 500);
  const Comparison comparison = CompareBytes(profile);
  const std::vector<StoryChain> story = MakeStory(
      profile, {.metric = kMetric,
                .roles = std::vector(profile.lines.size(), StoryRole::kOwn)});
  ASSERT_FALSE(story.empty());
  const ComparisonEntry& f = EntryOf(comparison, "f");
  EXPECT_EQ(story.front().value(), f.change);
  ASSERT_TRUE(story.front().cell.interval);
  EXPECT_DOUBLE_EQ(story.front().cell.interval->lower, f.interval.lower);
  EXPECT_DOUBLE_EQ(story.front().cell.interval->upper, f.interval.upper);
  const ErrorBars bars(profile, kMetric);
  EXPECT_LT(f.interval.lower, bars.Of(story.front().cell.change)->lower - 1000);
}

TEST(CompareTest, ReportsNoRoundingErrors) {
  const Profile profile = Merged(
      {{"f;a", 0.1}, {"f;b", 0.2}, {"f;b", 0.3, kBase}, {"f", 0, kBase}});
  EXPECT_EQ(EntryOf(CompareBytes(profile), "f").change, 0);
  EXPECT_EQ(CompareBytes(profile).total.change, 0);
}

TEST(CompareTest, TellsChangesFromSamplingNoise) {
  constexpr uint64_t kPeriod = 1000;
  const Profile profile = Merged({{"grown", 90000},
                                  {"grown", 30000, kBase},
                                  {"noisy", 33000},
                                  {"noisy", 30000, kBase},
                                  {"found", 2000}},
                                 kPeriod);
  const Comparison comparison = CompareBytes(profile);
  const ComparisonEntry& grown = EntryOf(comparison, "grown");
  EXPECT_TRUE(grown.has_changed);
  EXPECT_GT(grown.interval.lower, 0);
  EXPECT_GT(grown.interval.upper, 60000);
  EXPECT_TRUE(EntryOf(comparison, "noisy").is_noise);
  // The base may have held that, too, unsampled.
  const ComparisonEntry& found = EntryOf(comparison, "found");
  EXPECT_TRUE(found.is_new);
  EXPECT_TRUE(found.is_noise);
}

// Of many unchanged functions, a few seem to have changed by chance.
TEST(CompareTest, NeedsMoreProofOfAChangeAmongMany) {
  constexpr uint64_t kPeriod = 1000;
  const auto with_others = [](int count) {
    std::vector<TestSample> samples = {{"grown", 40000},
                                       {"grown", 20000, kBase}};
    for (int i = 0; i < count; ++i) {
      samples.push_back({fmt::format("other{}", i), 30000});
      samples.push_back({fmt::format("other{}", i), 30000, kBase});
    }
    return EntryOf(CompareBytes(Merged(samples, kPeriod)), "grown");
  };
  EXPECT_TRUE(with_others(0).has_changed);
  const ComparisonEntry grown = with_others(100);
  EXPECT_FALSE(grown.has_changed);
  EXPECT_FALSE(grown.is_noise);  // its interval is that of one entry
}

// They have no errors of their own.
TEST(CompareTest, JudgesObjectCountsByTheirBytes) {
  const auto has_changed = [](double now, double base) {
    Profile profile = Merged({{"f", now}, {"f", base, kBase}}, 1000);
    for (Sample& sample : profile.samples) {
      Estimate& objects = sample.values[Metric::kInuseObjects];
      objects.value = sample.side == kNow ? 30 : 20;
    }
    const Comparison comparison = Compare(
        profile, {.metric = Metric::kInuseObjects, .by = CompareBy::kFunction});
    EXPECT_EQ(EntryOf(comparison, "f").change, 10);
    return EntryOf(comparison, "f").has_changed;
  };
  EXPECT_FALSE(has_changed(3000, 2000));
  EXPECT_TRUE(has_changed(300000, 200000));
  // Without bytes, nothing says that counts are wrong.
  EXPECT_TRUE(has_changed(0, 0));
}

TEST(CompareTest, UsesTheSamplingPeriodOfEachSide) {
  const TestSample found = {"found", 6000};
  Profile profile = Merged({found}, 1000);
  profile.runs.base[0].sampling_period = 1;  // exact: it was not there
  Comparison comparison = CompareBytes(profile);
  EXPECT_TRUE(comparison.sides.base.is_exact);
  EXPECT_FALSE(EntryOf(comparison, "found").is_noise);
  profile.runs.base[0].sampling_period = 100000;
  comparison = CompareBytes(profile);
  EXPECT_TRUE(EntryOf(comparison, "found").is_noise);
  EXPECT_EQ(comparison.sides.base.period, 100000U);
}

TEST(CompareTest, HasNoErrorsOfExactValuesAndObjectCounts) {
  Profile profile = Merged({{"f", 10}, {"f", 9, kBase}}, 1000);
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseObjects] = {3, 2};
  const auto expect_point = [](const Comparison& comparison) {
    const ComparisonEntry& f = EntryOf(comparison, "f");
    EXPECT_FALSE(f.is_noise);
    EXPECT_EQ(f.interval.lower, f.change);
    EXPECT_EQ(f.interval.upper, f.change);
  };
  expect_point(Compare(profile, {.metric = Metric::kInuseObjects}));
  for (const Side side : kSides) profile.runs[side][0].sampling_period = 1;
  expect_point(CompareBytes(profile));
}

TEST(CompareTest, AllowsForThreadsWithTheSameSeed) {
  Profile profile = Merged({{"main;a", 100}, {"main;b", 100}, {"c", 100}}, 50);
  for (size_t i = 0; i < 3; ++i) AddToThread(i, i, "", profile);
  profile.runs.now[0].thread_stacks = 1;
  const double each = profile.samples[0].values[kMetric].variance;
  const Comparison comparison = CompareBytes(profile);
  const auto variance = [](const ComparisonEntry& entry) {
    return entry.growth.now.mean.variance;
  };
  // Of three threads, one is the main thread. Two may have used the stack.
  EXPECT_EQ(variance(comparison.total), 3 * each + 2 * each);
  EXPECT_EQ(variance(EntryOf(comparison, "main")), 2 * each + 2 * each);
  EXPECT_EQ(variance(EntryOf(comparison, "a")), each);
}

TEST(CompareTest, TheSumOfUnchangedEntriesAllowsForThreadsWithTheSameSeed) {
  Profile profile =
      Merged({{"a", 100}, {"b", 100}, {"c", 100}, {"c", 90, kBase}}, 50);
  for (size_t i = 0; i < 3; ++i) AddToThread(i, i, "", profile);
  profile.runs.now[0].thread_stacks = 1;
  const Comparison comparison =
      Compare(profile, {.metric = kMetric, .by = CompareBy::kStack});
  EXPECT_EQ(comparison.unchanged.change, comparison.total.change);
  EXPECT_EQ(comparison.unchanged.interval.lower,
            comparison.total.interval.lower);
  EXPECT_EQ(comparison.unchanged.interval.upper,
            comparison.total.interval.upper);
}

TEST(CompareTest, TheSumOfUnchangedGroupsIsWithoutWhatNoGroupHas) {
  Profile profile =
      Merged({{"a", 100}, {"b", 30}, {"a", 100, kBase}, {"b", 30, kBase}});
  std::vector<Group> groups(1);
  groups[0].name = "A";
  groups[0].functions.push_back(*Regex::Compile("groups", "^a"));
  ASSERT_TRUE(AddGroupRoots(groups, profile));
  const Comparison comparison = CompareBytes(profile, CompareBy::kGroup);
  EXPECT_TRUE(IsOtherGroup(comparison, EntryOf(comparison, "[other]")));
  EXPECT_FALSE(IsOtherGroup(comparison, EntryOf(comparison, "A")));
  EXPECT_EQ(comparison.unchanged.growth.now.mean.value, 100);
}

TEST(CompareTest, AllowsForThreadsWithTheSameNameAndSeed) {
  Profile profile = Merged({{"a", 100}, {"b", 100}, {"c", 100}}, 50);
  for (size_t i = 0; i < 3; ++i) AddToThread(i, i, "worker", profile);
  profile.runs.now[0].thread_stacks = 1;
  const double each = profile.samples[0].values[kMetric].variance;
  const Comparison comparison =
      Compare(profile, {.metric = kMetric, .by = CompareBy::kThread});
  EXPECT_EQ(EntryOf(comparison, "worker").growth.now.mean.variance,
            3 * each + 2 * each);
}

TEST(CompareTest, ShortensNamesThatStayUnique) {
  const Profile profile = Merged({{"ns::f<int>()", 5},
                                  {"ns::g<int>()", 4},
                                  {"ns::g<char>()", 3},
                                  {"ns::h(int)", 2},
                                  {"ns::h(char)", 1}});
  const Comparison comparison = CompareBytes(profile);
  EXPECT_EQ(EntryOf(comparison, "ns::f<int>()").name, "ns::f");
  EXPECT_EQ(EntryOf(comparison, "ns::g<int>()").name, "ns::g<int>");
  EXPECT_EQ(EntryOf(comparison, "ns::h(int)").name, "ns::h(int)");
  const Comparison styled =
      Compare(profile, {.metric = kMetric, .names = NameForm::kAsTheyAre});
  EXPECT_EQ(EntryOf(styled, "ns::f<int>()").name, "ns::f<int>()");
}

// A name that is made of a file and an offset has no arguments to leave out.
TEST(CompareTest, DoesNotShortenNamesOfNamelessCode) {
  Profile profile = Merged({{"app!app(1).so+0x12", 5}});
  profile.functions[1].unresolved = true;
  EXPECT_EQ(EntryOf(CompareBytes(profile), "app(1).so+0x12").name,
            "app(1).so+0x12");
}

TEST(CompareTest, SaysWhereAFunctionStarts) {
  Profile profile = Merged({{"app!f%src/f.cc:12", 1}});
  profile.functions[1].start_line = 10;
  const ComparisonEntry f = EntryOf(CompareBytes(profile), "f");
  EXPECT_EQ(f.file, "src/f.cc");
  EXPECT_EQ(f.line, 10U);
}

TEST(CompareTest, ComparesStacks) {
  const Profile profile = Merged({{"main;operator;f(int) [clone .cold]", 5},
                                  {"main;operator;f(int)", 3, kBase},
                                  {"main", 1}});
  EXPECT_THAT(Changes(CompareBytes(profile, CompareBy::kStack)),
              ElementsAre("main;operator;f(int) 2", "main 1"));
}

TEST(CompareTest, ComparesFiles) {
  const Profile profile = Merged({{"f%/src/a.cc:1", 5},
                                  {"g%/src/b.cc:1", 2},
                                  {"f%/src/a.cc:2", 4, kBase}});
  const Comparison comparison = CompareBytes(profile, CompareBy::kFile);
  EXPECT_THAT(Changes(comparison), ElementsAre("/src/b.cc 2", "/src/a.cc 1"));
  EXPECT_EQ(EntryOf(comparison, "/src/a.cc").file, "/src/a.cc");
}

TEST(CompareTest, NamesModulesWithoutFoldersIfThatIsUnique) {
  const Profile profile = Merged({{"/opt/2/liba.so!f", 9},
                                  {"/opt/3/libb.so!g", 5},
                                  {"/opt/4/libb.so!h", 3}});
  const Comparison comparison = CompareBytes(profile, CompareBy::kModule);
  EXPECT_EQ(EntryOf(comparison, "/opt/2/liba.so").name, "liba.so");
  EXPECT_EQ(EntryOf(comparison, "/opt/3/libb.so").name, "/opt/3/libb.so");
}

TEST(CompareTest, ComparesThreadsByNameOrUid) {
  Profile profile = Merged({{"f", 5}, {"f", 3, kBase}, {"g", 1}});
  AddToThread(0, 7, "worker", profile);
  AddToThread(1, 9, "worker", profile);
  AddToThread(2, 4, "", profile);
  profile.threads[2].shown_as = ThreadId{1};
  const Comparison comparison = CompareBytes(profile, CompareBy::kThread);
  EXPECT_THAT(Changes(comparison), ElementsAre("worker 2", "t4 1"));
  EXPECT_EQ(comparison.total.change, 3);
}

TEST(CompareTest, ChargesEachStackToOneCall) {
  const Profile profile = Merged({{"main;app;lib", 10}, {"start", 1}});
  const StackId stack = profile.samples[0].stack;
  const LocationId app = profile.StackFrames(stack)[1];
  CallsOfStacks calls(profile.stacks.size());
  calls[stack.index()] =
      StackCall{.frame = 1, .line = profile.locations[app.index()].lines.first};
  const Comparison comparison =
      Compare(profile, {.metric = kMetric, .calls = calls});
  EXPECT_THAT(Changes(comparison),
              ElementsAre("app 10", fmt::format("{} 1", kOutsideOwnCode)));
  EXPECT_FALSE(comparison.is_cumulative);
}

TEST(CompareTest, DoesNotNeedRuns) {
  Profile profile = Merged({{"f", 3}, {"f", 1, kBase}});
  profile.runs = {};
  EXPECT_EQ(CompareBytes(profile).total.change, 2);
  EXPECT_EQ(CompareBytes(ProfileOf("")).total.change, 0);
}

// The entries that may be one, as "NEW GONE".
std::vector<std::string> MovedOf(std::initializer_list<TestSample> samples,
                                 uint64_t period = 1) {
  const Comparison comparison = CompareBytes(Merged(samples, period));
  std::vector<std::string> moved;
  for (const ComparisonEntry& entry : comparison.entries) {
    if (!entry.is_new || entry.maybe_moved.empty()) continue;
    moved.push_back(entry.key + ' ' + entry.maybe_moved);
    EXPECT_EQ(EntryOf(comparison, entry.maybe_moved).maybe_moved, entry.key);
  }
  return moved;
}

TEST(CompareTest, HintsAtMovedCode) {
  EXPECT_THAT(MovedOf({{"a::f", 8}, {"b::g", 8, kBase}}),
              ElementsAre("a::f b::g"));
  EXPECT_THAT(MovedOf({{"a::f", 8}, {"b::g", 9, kBase}}), IsEmpty());
  // Several are as large, but one shares the unqualified name.
  EXPECT_THAT(MovedOf({{"a::f", 8}, {"b::f", 8, kBase}, {"b::g", 8, kBase}}),
              ElementsAre("a::f b::f"));
  EXPECT_THAT(MovedOf({{"a::f", 8}, {"b::x", 8, kBase}, {"b::y", 8, kBase}}),
              IsEmpty());
  EXPECT_THAT(MovedOf({{"a::x", 8}, {"a::y", 8}, {"b::g", 8, kBase}}),
              IsEmpty());
  // Equal, as far as sampling can tell.
  EXPECT_THAT(MovedOf({{"a::f", 90000}, {"b::g", 95000, kBase}}, 1000),
              ElementsAre("a::f b::g"));
  EXPECT_THAT(MovedOf({{"a::f", 90000}, {"b::g", 190000, kBase}}, 1000),
              IsEmpty());
}

TEST(CompareTest, AddsUpWhatIsWithinTheError) {
  const Profile profile = Merged({{"a", 90000},
                                  {"b", 5000},
                                  {"b", 6000, kBase},
                                  {"c", 7000},
                                  {"c", 7000, kBase}},
                                 1000);
  const ComparisonEntry sum =
      Compare(profile, {.metric = kMetric, .by = CompareBy::kStack}).unchanged;
  EXPECT_EQ(sum.growth.now.mean.value, 12000);
  EXPECT_EQ(sum.growth.now.mean.variance, 12000.0 * 1000);
  EXPECT_EQ(sum.change, -1000);
  EXPECT_TRUE(sum.is_noise);
}

TEST(GrowthWithoutTest, LeavesOutTheStacksThroughCallees) {
  const Profile profile = Merged({{"main;f;leak", 10},
                                  {"main;f;other", 3},
                                  {"leak;f", 2},
                                  {"main;f;other", 1, kBase}});
  const Comparison comparison = CompareBytes(profile);
  const size_t leak = IndexOfKey(comparison, "leak");
  const Growth all = GrowthOfKeyWithout(profile, comparison, "f", {});
  EXPECT_EQ(all.now.mean.value, 15);
  // A caller of the same name explains nothing.
  const Growth rest =
      GrowthOfKeyWithout(profile, comparison, "f", std::array{leak});
  EXPECT_EQ(rest.now.mean.value, 5);
  EXPECT_EQ(rest.base.mean.value, 1);
}

TEST(FindStacksOfTest, AnswersForEachEntryAsOftenAsItIsAskedFor) {
  const Profile profile = Merged({{"main;f", 10}, {"main;g", 3}, {"g", 2}});
  const Comparison comparison = CompareBytes(profile);
  const size_t g = IndexOfKey(comparison, "g");
  const auto found = FindStacksOf(
      std::array{g, IndexOfKey(comparison, "main"), g}, comparison);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_THAT(found[0].has, ElementsAre(false, false, true, true));
  EXPECT_THAT(found[1].has, ElementsAre(false, true, true, false));
  EXPECT_EQ(found[2].index, g);
  EXPECT_EQ(found[2].has, found[0].has);
}

TEST(PathToTest, FollowsTheLargestGrowth) {
  const Profile profile = Merged({{"main;old;leak", 100},
                                  {"main;old;leak", 99, kBase},
                                  {"main;new;leak", 10},
                                  {"other;new;leak", 4}});
  const Comparison comparison = CompareBytes(profile);
  EXPECT_THAT(PathTo(profile, comparison, StacksOfKey(comparison, "leak")),
              ElementsAre("main", "new"));
  EXPECT_THAT(PathTo(profile, comparison, StacksOfKey(comparison, "main")),
              IsEmpty());
  const Comparison stacks = CompareBytes(profile, CompareBy::kStack);
  EXPECT_THAT(
      PathTo(profile, stacks, FindStacksOf(std::array{size_t{0}}, stacks)[0]),
      IsEmpty());
}

TEST(PathToTest, FollowsTheLargestShrinkOfWhatShrank) {
  const Profile profile =
      Merged({{"a;f", 5}, {"b;f", 4, kBase}, {"c;f", 3, kBase}});
  const Comparison comparison = CompareBytes(profile);
  EXPECT_THAT(PathTo(profile, comparison, StacksOfKey(comparison, "f")),
              ElementsAre("b"));
}

}  // namespace
}  // namespace heapprof
