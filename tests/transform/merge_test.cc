// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/merge.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

Profile Joined(Profile a, Profile b) {
  std::vector<MergeInput> inputs;
  inputs.push_back({std::move(a), Side::kNew});
  inputs.push_back({std::move(b), Side::kNew});
  Profile profile = Merge(std::move(inputs));
  EXPECT_EQ(CheckValid(profile), "");
  return profile;
}

void SetBuildId(Profile& profile, std::string_view file, std::string_view id) {
  for (Mapping& mapping : profile.mappings)
    if (profile.String(mapping.filename) == file)
      mapping.build_id = profile.strings.Intern(id);
}

constexpr std::string_view kFirst =
    "app!main;app!ns::f(int) 100\n"
    "app!main;libc.so.6!qsort;app!compare 7\n";
constexpr std::string_view kSecond =
    "app!main;app!ns::f(int) 20\n"
    "app!main|inlined;libz.so.1!deflate 3\n";

TEST(MergeTest, KeepsTheSamplesOfAllInputs) {
  const Profile profile = Joined(ProfileOf(kFirst), ProfileOf(kSecond));
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("main;ns::f(int) 100", "main;ns::f(int) 20",
                          "main;qsort;compare 7", "main|inlined;deflate 3"));
}

TEST(MergeTest, Commutes) {
  const Profile ab = Joined(ProfileOf(kFirst), ProfileOf(kSecond));
  const Profile ba = Joined(ProfileOf(kSecond), ProfileOf(kFirst));
  EXPECT_EQ(StacksOf(ab), StacksOf(ba));
  EXPECT_EQ(ab.locations.size(), ba.locations.size());
  EXPECT_EQ(ab.functions.size(), ba.functions.size());
  EXPECT_EQ(ab.mappings.size(), ba.mappings.size());
}

TEST(MergeTest, NumbersTheInputsOfEachSide) {
  Profile difference = ProfileOf("a 1\nb 2\n");
  difference.samples[1].side = Side::kBase;
  difference.sampling_period = 7;
  difference.thread_stacks.now = 3;
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf("a 1\n"), Side::kNew});
  inputs.push_back({std::move(difference), Side::kNew});
  inputs.push_back({ProfileOf("c 3\n"), Side::kBase});
  const Profile profile = Merge(std::move(inputs));
  std::vector<std::string> runs;
  for (const Sample& sample : profile.samples)
    runs.push_back((sample.side == Side::kNew ? "new " : "base ") +
                   std::to_string(sample.run));
  EXPECT_THAT(runs, ElementsAre("new 0", "new 1", "base 0", "base 0"));
  ASSERT_EQ(profile.runs.now.size(), 2U);
  EXPECT_EQ(profile.runs.now[1].sampling_period, 7U);
  EXPECT_EQ(profile.runs.now[1].thread_stacks, 3U);
  EXPECT_EQ(profile.runs.base.size(), 1U);
}

TEST(MergeTest, HasTheLongestSamplingPeriod) {
  const auto period_of_both = [](uint64_t first, uint64_t second) {
    Profile a = ProfileOf(kFirst), b = ProfileOf(kSecond);
    a.sampling_period = first;
    b.sampling_period = second;
    return Joined(std::move(a), std::move(b)).sampling_period;
  };
  EXPECT_EQ(period_of_both(4096, 0), 4096u);
  EXPECT_EQ(period_of_both(1, 4096), 4096u);
  EXPECT_EQ(period_of_both(4096, 1), 4096u);
}

TEST(MergeTest, GivesEqualRowsOneId) {
  const Profile one = ProfileOf(kFirst);
  const Profile two = Joined(ProfileOf(kFirst), ProfileOf(kFirst));
  EXPECT_EQ(two.strings.size(), one.strings.size());
  EXPECT_EQ(two.functions.size(), one.functions.size());
  EXPECT_EQ(two.locations.size(), one.locations.size());
  EXPECT_EQ(two.mappings.size(), one.mappings.size());
  EXPECT_EQ(two.samples.size(), 2 * one.samples.size());
}

TEST(MergeTest, GivesEqualStacksOneIdInAnyOrder) {
  const Profile profile =
      Joined(Joined(ProfileOf("a;x 1\nb 1\nc 1\nd 1\n"),
                    ProfileOf("a;x 2\nc 2\ne 2\nd 2\nb 2\n")),
             ProfileOf("d 4\na;x 4\nc 4\ne 4\nb 4\na 4\n"));
  EXPECT_EQ(profile.stacks.size(), 1u + 6);
  EXPECT_THAT(
      StacksOf(profile),
      ElementsAre("a 4", "a;x 1", "a;x 2", "a;x 4", "b 1", "b 2", "b 4", "c 1",
                  "c 2", "c 4", "d 1", "d 2", "d 4", "e 2", "e 4"));
}

TEST(MergeTest, OfOneInputIsThatInput) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf(kFirst), Side::kNew});
  EXPECT_EQ(StacksOf(Merge(std::move(inputs))), StacksOf(ProfileOf(kFirst)));
}

TEST(MergeTest, KeepsALoneBaseABase) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf(kFirst), Side::kBase});
  const Profile profile = Merge(std::move(inputs));
  EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value, 0);
  EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseSpace].value, 107);
}

TEST(MergeTest, KeepsTheSides) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf(kFirst), Side::kNew});
  inputs.push_back({ProfileOf(kSecond), Side::kBase});
  inputs[0].profile.thread_stacks = {3, 0};
  inputs[1].profile.thread_stacks = {5, 0};
  const Profile profile = Merge(std::move(inputs));
  EXPECT_EQ(profile.thread_stacks, (Sides<uint32_t>{3, 5}));
  EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value, 107);
  EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseSpace].value, 23);
}

TEST(MergeTest, AddsTheValuesSubtractedFromABase) {
  for (Side side : {Side::kNew, Side::kBase}) {
    std::vector<MergeInput> inputs;
    inputs.push_back({ProfileOf(kFirst), Side::kNew});
    inputs.push_back({ProfileOf("app!main 5\n"), side});
    inputs.back().profile.samples[0].side = Side::kBase;
    const Profile profile = Merge(std::move(inputs));
    const bool added = side == Side::kBase;
    EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value,
              added ? 112 : 107);
    EXPECT_EQ(TotalOf(profile, Side::kBase)[Metric::kInuseSpace].value,
              added ? 0 : 5);
  }
}

TEST(MergeTest, KeepsOffsetsAndAddressesOfAFileApart) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  b.mappings[1].address_space = AddressSpace::kFileAddress;
  EXPECT_EQ(Joined(std::move(a), std::move(b)).mappings.size(), 3u);
}

TEST(MergeTest, KnowsWhereAFileIsIfOneInputDoes) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  SetBuildId(a, "app", "a0");
  SetBuildId(b, "app", "a0");
  b.mappings[1].elf_path = b.strings.Intern("/here/app");
  const Profile profile = Joined(std::move(a), std::move(b));
  ASSERT_EQ(profile.mappings.size(), 2u);
  EXPECT_EQ(profile.String(profile.mappings[1].elf_path), "/here/app");
}

TEST(MergeTest, HasOnlyTheCountersThatAllInputsHave) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  b.has_object_counts = false;
  const Profile without_counts = Joined(a, b);
  EXPECT_FALSE(without_counts.has_object_counts);
  EXPECT_TRUE(without_counts.has_inuse);
  b.has_inuse = false;
  EXPECT_FALSE(Joined(a, b).has_inuse);
}

TEST(MergeTest, MatchesAFileByBuildIdUnderAnotherPath) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  SetBuildId(a, "app", "a0");
  SetBuildId(b, "app", "a0");
  b.mappings[1].filename = b.strings.Intern("/container/app");
  const Profile profile = Joined(std::move(a), std::move(b));
  ASSERT_EQ(profile.mappings.size(), 2u);
  EXPECT_EQ(profile.locations.size(), 2u);
  EXPECT_EQ(profile.String(profile.mappings[1].filename), "app");
}

TEST(MergeTest, KeepsTwoBuildsUnderOnePathApart) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  SetBuildId(a, "app", "a0");
  SetBuildId(b, "app", "b1");
  const Profile profile = Joined(std::move(a), std::move(b));
  EXPECT_EQ(profile.mappings.size(), 3u);
  EXPECT_EQ(profile.locations.size(), 3u);
  EXPECT_EQ(profile.functions.size(), 2u);
  EXPECT_TRUE(profile.compares_builds);
}

TEST(MergeTest, KnowsDumpsOfOneProcess) {
  const auto mixes = [](uint64_t a, uint64_t b) {
    const auto at = [](uint64_t address) {
      Profile profile = ProfileOf("app!main 1\n");
      profile.main_binary = profile.strings.Intern("app");
      profile.mappings[1].start = address;
      return profile;
    };
    return Joined(at(a), at(b)).mixes_processes;
  };
  constexpr uint64_t kAddress = 0x563401c35000, kOther = 0x55d3ea811000;
  EXPECT_FALSE(mixes(kAddress, kAddress));
  EXPECT_TRUE(mixes(kAddress, kOther));
  EXPECT_TRUE(mixes(0, 0));  // unknown
}

TEST(MergeTest, DistinguishesBuildsOfALibraryFromThoseOfTheProgram) {
  Profile a = ProfileOf("app!main;libz.so.1!deflate 1\n");
  Profile b = ProfileOf("app!main;libz.so.1!deflate 2\n");
  for (Profile* profile : {&a, &b}) {
    profile->main_binary = profile->strings.Intern("app");
    SetBuildId(*profile, "app", "a0");
  }
  SetBuildId(a, "libz.so.1", "c2");
  SetBuildId(b, "libz.so.1", "d3");
  const Profile profile = Joined(std::move(a), std::move(b));
  EXPECT_EQ(profile.mappings.size(), 4u);
  EXPECT_FALSE(profile.compares_builds);
}

TEST(MergeTest, DoesNotTakeAMissingProgramForAnotherBuild) {
  Profile a = ProfileOf("[anon]!jit 1\n");
  Profile b = ProfileOf("[heap]!jit 2\n");
  a.main_binary = {};
  b.main_binary = {};
  EXPECT_FALSE(Joined(std::move(a), std::move(b)).compares_builds);
}

// A return address stands for the call before it, so that the same number
// means other code if it is the address of a call.
TEST(MergeTest, KeepsReturnAddressesApartFromAddressesOfCalls) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  a.locations[1].is_return_address = false;
  b.locations[1].is_return_address = true;
  const Profile profile = Joined(std::move(a), std::move(b));
  ASSERT_EQ(profile.locations.size(), 3u);
  EXPECT_FALSE(profile.locations[1].is_return_address);
  EXPECT_TRUE(profile.locations[2].is_return_address);
}

TEST(MergeTest, ComparesCodeOutsideFilesByItsRuntimeAddress) {
  Profile a = ProfileOf("0x00007f0000001000 1\n");
  Profile b = ProfileOf("0x00007f0000001000 2\n");
  EXPECT_EQ(Joined(ProfileOf("0x00007f0000001000 1\n"), std::move(b))
                .locations.size(),
            2u);
  Profile moved = ProfileOf("0x00007f0000001000 2\n");
  moved.locations[1].address += 16;
  moved.locations[1].module_address += 16;
  EXPECT_EQ(Joined(std::move(a), std::move(moved)).locations.size(), 3u);
}

TEST(MergeTest, KeepsThreadsOfOneUidAndTwoNamesApart) {
  const auto with_thread = [](std::string_view name) {
    ProfileBuilder builder(ProfileOf("app!main 1\n"));
    builder.AddThreadSample(
        {.stack = {1}, .thread = builder.InternThread(3, name)});
    return std::move(builder).Finish();
  };
  EXPECT_EQ(Joined(with_thread("io"), with_thread("io")).threads.size(), 2u);
  EXPECT_EQ(Joined(with_thread("io"), with_thread("worker")).threads.size(),
            3u);
}

TEST(MergeTest, TakesHeaderDataFromTheFirstInputThatHasIt) {
  Profile a = ProfileOf("app!main 1\n");
  Profile b = ProfileOf("app!main 2\n");
  a.time_seconds = 1000;
  b.time_seconds = 2000;
  b.sampling_period = 524288;
  b.has_accumulated = true;
  const Profile profile = Joined(std::move(a), std::move(b));
  EXPECT_EQ(profile.time_seconds, 1000);
  EXPECT_EQ(profile.sampling_period, 524288u);
  EXPECT_TRUE(profile.has_accumulated);
  EXPECT_EQ(profile.String(profile.main_binary), "app");
}

TEST(MergeTest, KeepsTheProgramsOfAllInputs) {
  std::vector<MergeInput> inputs;
  for (const char* stack : {"app!main 1", "tool!main 2", "app!main 3",
                            "tool!main 4", "other!main 5"})
    inputs.push_back({ProfileOf(stack), Side::kNew});
  const Profile profile = Merge(std::move(inputs));
  EXPECT_EQ(profile.String(profile.main_binary), "app");
  std::vector<std::string_view> others;
  for (const StringId path : profile.other_programs)
    others.push_back(profile.String(path));
  EXPECT_THAT(others, ElementsAre("tool", "other"));
}

// A symbolized file with one stack of one address, with or without a name.
Profile Symbolized(std::string_view binary, std::string_view name,
                   uint64_t address = 0x401200) {
  ProfileBuilder builder;
  const LocationId location = builder.InternAddress(address, false);
  const bool unresolved = name.empty();
  const Line line = {.function = builder.InternFunction(
                         {.name = builder.InternString(
                              unresolved ? "0x0000000000401200" : name),
                          .unresolved = unresolved})};
  Profile& profile = builder.profile();
  profile.locations[location.index()].lines = builder.AddLines({&line, 1});
  Sample sample = {.stack = builder.AddStack({{location}})};
  sample.values[Metric::kInuseSpace].value = 8;
  builder.AddSample(sample);
  profile.is_symbolized = true;
  profile.main_binary = builder.InternString(binary);
  return std::move(builder).Finish();
}

TEST(MergeTest, NamesAnAddressAsAnotherSymbolizedFileOfTheProgramDoes) {
  for (std::string_view binary : {"/opt/server", ""}) {
    const auto expected = ElementsAre("ns::grow() 8", "ns::grow() 8");
    EXPECT_THAT(StacksOf(Joined(Symbolized(binary, "ns::grow()"),
                                Symbolized(binary, ""))),
                expected)
        << binary;
    const Profile joined =
        Joined(Symbolized(binary, ""), Symbolized(binary, "ns::grow()"));
    EXPECT_THAT(StacksOf(joined), expected) << binary;
    EXPECT_EQ(joined.locations.size(), 2u) << binary;
  }
}

TEST(MergeTest, KeepsTheNamesThatASymbolizedFileGives) {
  EXPECT_THAT(StacksOf(Joined(Symbolized("/opt/server", "f()"),
                              Symbolized("/opt/server", "g()"))),
              ElementsAre("f() 8", "g() 8"));
}

// In folded stacks, all frames have the address 0.
TEST(MergeTest, SharesNoNamesOfFramesWithoutAddresses) {
  EXPECT_THAT(StacksOf(Joined(Symbolized("", "f()", 0), Symbolized("", "", 0))),
              ElementsAre("0x0000000000401200 8", "f() 8"));
}

TEST(MergeTest, SharesNoNamesBetweenTwoPrograms) {
  EXPECT_THAT(StacksOf(Joined(Symbolized("/opt/server", "f()"),
                              Symbolized("/opt/client", ""))),
              ElementsAre("0x0000000000401200 8", "f() 8"));
}

TEST(MergeTest, SharesNoNamesWithADump) {
  Profile dump = Symbolized("/opt/server", "");
  dump.is_symbolized = false;
  EXPECT_THAT(
      StacksOf(Joined(Symbolized("/opt/server", "f()"), std::move(dump))),
      ElementsAre("0x0000000000401200 8", "f() 8"));
}

// Makes inputs of both sides, the second of which has a thread sample.
std::vector<MergeInput> ThreeInputs() {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf(kFirst), Side::kNew});
  inputs.push_back({ProfileOf(kSecond), Side::kNew});
  inputs.push_back({ProfileOf("app!compare 5\napp!main 9\n"), Side::kBase});
  ProfileBuilder builder(std::move(inputs[1].profile));
  Sample sample = builder.profile().samples.front();
  sample.thread = builder.InternThread(7, "worker");
  builder.AddThreadSample(sample);
  inputs[1].profile = std::move(builder).Finish();
  return inputs;
}

std::vector<std::string> Described(const Profile& profile,
                                   const std::vector<Sample>& samples) {
  std::vector<std::string> texts;
  for (const Sample& sample : samples)
    texts.push_back(
        (sample.side == Side::kNew ? "new " : "base ") +
        std::to_string(sample.run) + ' ' + StackText(profile, sample.stack) +
        ' ' + std::to_string(sample.values[Metric::kInuseSpace].value) + ' ' +
        std::string(
            profile.String(profile.threads[sample.thread.index()].name)));
  return texts;
}

TEST(InputMergerTest, MergesInputsWhoseStacksItHasTaken) {
  const Profile expected = Merge(ThreeInputs());
  for (size_t taken = 0; taken <= 3; ++taken) {
    std::vector<MergeInput> inputs = ThreeInputs();
    InputMerger merger;
    for (size_t i = 0; i < taken; ++i) {
      const Values total = TotalOf(inputs[i].profile, Side::kNew);
      merger.TakeStacks(inputs[i]);
      EXPECT_TRUE(inputs[i].is_taken);
      EXPECT_EQ(inputs[i].profile.frames.capacity(), 0u);
      EXPECT_EQ(
          TotalOf(inputs[i].profile, Side::kNew)[Metric::kInuseSpace].value,
          total[Metric::kInuseSpace].value);
    }
    const Profile merged = std::move(merger).Finish(std::move(inputs));
    EXPECT_EQ(CheckValid(merged), "");
    EXPECT_EQ(Described(merged, merged.samples),
              Described(expected, expected.samples));
    EXPECT_EQ(Described(merged, merged.thread_samples),
              Described(expected, expected.thread_samples));
    EXPECT_EQ(merged.runs.now.size(), 2u);
    EXPECT_EQ(merged.runs.base.size(), 1u);
  }
}

TEST(InputMergerTest, LeavesTheSumOfAnInputThatItHasTaken) {
  MergeInput input = {ProfileOf(kFirst)};
  MergeInput empty = {ProfileOf("")};
  InputMerger merger;
  merger.TakeAll(input);
  merger.TakeAll(empty);
  ASSERT_EQ(input.profile.samples.size(), 1u);
  EXPECT_EQ(input.profile.samples.capacity(), 1u);
  EXPECT_EQ(TotalOf(input.profile, Side::kNew)[Metric::kInuseSpace].value, 107);
  EXPECT_TRUE(empty.profile.samples.empty());
  std::vector<MergeInput> inputs;
  inputs.push_back(std::move(input));
  inputs.push_back(std::move(empty));
  inputs.push_back({ProfileOf(kSecond)});
  EXPECT_EQ(StacksOf(std::move(merger).Finish(std::move(inputs))),
            StacksOf(Joined(ProfileOf(kFirst), ProfileOf(kSecond))));
}

TEST(InputMergerTest, AddsUpManySamples) {
  constexpr size_t kStacks = 30000, kInputs = 3;
  std::string text;
  for (size_t i = 0; i < kStacks; ++i)
    text += "app!main;app!f" + std::to_string(i % 200) + ";app!g" +
            std::to_string(i / 200) + " 2\n";
  std::vector<MergeInput> inputs;
  InputMerger merger;
  for (size_t i = 0; i < kInputs; ++i) {
    inputs.push_back({ProfileOf(text)});
    merger.TakeAll(inputs.back());
  }
  const Profile sum = std::move(merger).Finish(std::move(inputs));
  EXPECT_EQ(CheckValid(sum), "");
  ASSERT_EQ(sum.samples.size(), kStacks);
  for (const Sample& sample : sum.samples)
    EXPECT_EQ(sample.values[Metric::kInuseSpace].value, 2 * kInputs);
}

}  // namespace
}  // namespace heapprof
