// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/profile.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/profile/profile_builder.h"
#include "support/check_valid.h"

namespace heapprof {
namespace {

Values Filled(double first) {
  Values values;
  for (size_t i = 0; i < kMetricCount; ++i)
    values.by_metric[i] = {first + static_cast<double>(i), 1};
  return values;
}

TEST(ValuesTest, AddAndSubtractByMetricWhileVariancesGrow) {
  Values values = Filled(10);
  values += Filled(1);
  EXPECT_EQ(values[Metric::kInuseObjects].value, 11);
  EXPECT_EQ(values[Metric::kAllocSpace].value, 17);
  values -= Filled(1);
  EXPECT_EQ(values[Metric::kInuseObjects].value, 10);
  EXPECT_EQ(values[Metric::kAllocSpace].value, 13);
  EXPECT_EQ(values[Metric::kAllocSpace].variance, 3);
}

TEST(RunsOfTest, TakesASideThatWasNotMergedForOneRun) {
  Profile profile;
  profile.sampling_period = 512;
  profile.thread_stacks = {3, 4};
  profile.runs.now = {{.sampling_period = 1}, {.sampling_period = 2}};
  EXPECT_EQ(RunsOf(profile, Side::kNew).size(), 2u);
  const auto base = RunsOf(profile, Side::kBase);
  ASSERT_EQ(base.size(), 1u);
  EXPECT_EQ(base[0].sampling_period, 512U);
  EXPECT_EQ(base[0].thread_stacks, 4U);
}

TEST(LifetimeTest, GrowsByPowersOfTen) {
  EXPECT_EQ(LifetimeName(LifetimeOf(0)), "below 1ms");
  EXPECT_EQ(LifetimeName(LifetimeOf(999'999)), "below 1ms");
  EXPECT_EQ(LifetimeName(LifetimeOf(1'000'000)), "1ms to 10ms");
  EXPECT_EQ(LifetimeName(LifetimeOf(99'000'000)), "10ms to 100ms");
  EXPECT_EQ(LifetimeName(LifetimeOf(999'000'000)), "100ms to 1s");
  EXPECT_EQ(LifetimeName(LifetimeOf(1'000'000'000)), "1s to 10s");
  EXPECT_EQ(LifetimeName(LifetimeOf(99'999'999'999)), "10s to 100s");
  EXPECT_EQ(LifetimeName(LifetimeOf(100'000'000'000)), "100s and more");
  EXPECT_EQ(LifetimeName(LifetimeOf(UINT64_MAX)), "100s and more");
}

TEST(LifetimeTest, IsFoundByItsName) {
  for (const Lifetime lifetime :
       {Lifetime::kUnknown, Lifetime::kBelow10ms, Lifetime::kLive})
    EXPECT_EQ(FindLifetime(LifetimeName(lifetime)), lifetime);
  EXPECT_EQ(FindLifetime("for ever"), Lifetime::kUnknown);
}

TEST(ValuesTest, AllZeroLooksAtEveryMetric) {
  EXPECT_TRUE(Values().AllZero());
  for (size_t i = 0; i < kMetricCount; ++i) {
    Values values;
    values.by_metric[i].value = -1;
    EXPECT_FALSE(values.AllZero()) << i;
  }
}

TEST(MetricTest, TellsWhatAMetricCounts) {
  EXPECT_TRUE(IsObjectCount(Metric::kInuseObjects));
  EXPECT_TRUE(IsObjectCount(Metric::kAllocObjects));
  EXPECT_FALSE(IsObjectCount(Metric::kInuseSpace));
  EXPECT_FALSE(IsAccumulated(Metric::kInuseSpace));
  EXPECT_TRUE(IsAccumulated(Metric::kAllocSpace));
}

TEST(StringTableTest, GivesEqualStringsOneIdAndNoneToTheEmptyOne) {
  StringTable table;
  EXPECT_TRUE(table.Intern("").IsNone());
  const StringId a = table.Intern("a");
  EXPECT_EQ(table.Intern(std::string("a")), a);
  EXPECT_NE(table.Intern(std::string_view("a\0", 2)), a);
  EXPECT_EQ(table.Get(a), "a");
  EXPECT_EQ(table.size(), 3u);
}

TEST(StringTableTest, SharesNothingWithItsCopy) {
  auto table = std::make_unique<StringTable>();
  const StringId a = table->Intern("a");
  StringTable copy = *table;
  table.reset();
  EXPECT_EQ(copy.Get(a), "a");
  EXPECT_EQ(copy.Intern("a"), a);
  EXPECT_EQ(copy.Intern("b").index(), 2u);
  EXPECT_TRUE(copy.Intern("").IsNone());
}

TEST(StringTableTest, KeepsViewsValidAsItGrowsAndMoves) {
  StringTable table;
  const StringId id = table.Intern("short");
  const std::string_view view = table.Get(id);
  for (int i = 0; i < 10000; ++i) table.Intern(std::to_string(i));
  const StringTable moved = std::move(table);
  EXPECT_EQ(view, "short");
  EXPECT_EQ(moved.Get(id).data(), view.data());
}

TEST(StringTableTest, FindsItsStringsAfterAMove) {
  StringTable table;
  const StringId id = table.Intern("short");
  StringTable moved = std::move(table);
  EXPECT_EQ(moved.Intern("short"), id);
}

TEST(CallSiteAddressTest, StepsReturnAddressesBackIntoTheCall) {
  const Location after = {.is_return_address = true};
  const Location inside = {.is_return_address = false};
  EXPECT_EQ(CallSiteAddress(after, 0x401000), 0x400fffu);
  EXPECT_EQ(CallSiteAddress(after, 1), 0u);
  EXPECT_EQ(CallSiteAddress(after, 0), 0u);
  EXPECT_EQ(CallSiteAddress(inside, 0x401000), 0x401000u);
}

// One row in every table.
Profile Small() {
  ProfileBuilder builder;
  const StringId name = builder.InternString("f");
  const FunctionId function = builder.InternFunction(
      {.name = name, .system_name = name, .filename = name});
  const MappingId mapping = builder.AddMapping({.filename = name});
  const LocationId location =
      builder.AddLocation({.address = 1,
                           .mapping = mapping,
                           .lines = builder.AddLines({{{function, 2, 3}}})});
  const StackId stack = builder.AddStack({{location}});
  const ThreadId thread = builder.InternThread(7, "worker");
  builder.AddSample({.stack = stack, .values = Filled(1)});
  builder.AddSample(
      {.stack = stack, .side = Side::kBase, .values = Filled(100)});
  builder.AddThreadSample(
      {.stack = stack, .thread = thread, .values = Filled(1)});
  return std::move(builder).Finish();
}

TEST(TotalOfTest, AddsTheSamplesOfOneSide) {
  Profile profile = Small();
  profile.samples.push_back(profile.samples[0]);
  EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseObjects].value, 2);
  EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseObjects].value, 100);
  EXPECT_TRUE(TotalOf(Profile(), Side::kNew).AllZero());
}

TEST(CheckValidTest, AcceptsProfilesOfTheBuilder) {
  EXPECT_EQ(CheckValid(Profile()), "");
  EXPECT_EQ(CheckValid(Small()), "");
}

TEST(CheckValidTest, FindsEveryReferenceOutOfRange) {
  struct Case {
    std::string_view message;
    std::function<void(Profile&)> damage;
  };
  const Case kCases[] = {
      {"sample names stack 9", [](Profile& p) { p.samples[0].stack = {9}; }},
      {"sample names thread 9", [](Profile& p) { p.samples[0].thread = {9}; }},
      {"sample names stack 2",
       [](Profile& p) { p.thread_samples[0].stack = {2}; }},
      {"sample names thread 2",
       [](Profile& p) { p.thread_samples[0].thread = {2}; }},
      {"stack leaves the frames at 1",
       [](Profile& p) { p.stacks[1] = {1, 1}; }},
      {"stack leaves the frames at 4294967295",
       [](Profile& p) { p.stacks[1] = {0xffffffff, 2}; }},
      {"frame names location 0", [](Profile& p) { p.frames[0] = {0}; }},
      {"frame names location 2", [](Profile& p) { p.frames[0] = {2}; }},
      {"location names mapping 2",
       [](Profile& p) { p.locations[1].mapping = {2}; }},
      {"location leaves the lines at 0",
       [](Profile& p) { p.locations[1].lines = {0, 2}; }},
      {"line names function 2", [](Profile& p) { p.lines[0].function = {2}; }},
      {"function names string 9",
       [](Profile& p) { p.functions[1].name = {9}; }},
      {"function names string 9",
       [](Profile& p) { p.functions[1].system_name = {9}; }},
      {"function names string 9",
       [](Profile& p) { p.functions[1].filename = {9}; }},
      {"mapping names string 9",
       [](Profile& p) { p.mappings[1].filename = {9}; }},
      {"mapping names string 9",
       [](Profile& p) { p.mappings[1].build_id = {9}; }},
      {"mapping names string 9",
       [](Profile& p) { p.mappings[1].elf_path = {9}; }},
      {"thread names string 9", [](Profile& p) { p.threads[1].name = {9}; }},
      {"main binary is string 9", [](Profile& p) { p.main_binary = {9}; }},
      {"a program is string 9", [](Profile& p) { p.other_programs = {{9}}; }},
  };
  for (const Case& c : kCases) {
    Profile profile = Small();
    c.damage(profile);
    EXPECT_EQ(CheckValid(profile), c.message);
  }
}

}  // namespace
}  // namespace heapprof
