// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/gates.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/baseline_labels.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;

// What a gate has found; nothing if it is passed.
std::optional<FindingKind> KindOf(const GateResult& result) {
  return result ? std::nullopt : std::optional(result.error().kind);
}

Profile Dump(std::string_view stacks, uint64_t period = 1) {
  Profile profile = ProfileOf(stacks);
  profile.sampling_period = period;
  return profile;
}

class CheckDumpsTest : public testing::Test {
 protected:
  GateResult Check(const Profile& profile) {
    const CheckedDump dump = {.profile = &profile, .path = "a.heap"};
    return CheckDumps({&dump, 1}, options_, diagnostics_);
  }

  GateResult CheckRuns(const std::vector<Profile>& profiles) {
    std::vector<CheckedDump> dumps;
    for (const Profile& profile : profiles)
      dumps.push_back({.profile = &profile, .path = "a.heap"});
    return CheckDumps(dumps, options_, diagnostics_);
  }

  GateOptions options_;
  Diagnostics diagnostics_;
};

TEST_F(CheckDumpsTest, NeedsASamplingPeriod) {
  options_ = {.accept_damaged = true, .allow_empty = true};
  const GateResult result = Check(Dump("main 100", 0));
  EXPECT_EQ(KindOf(result), FindingKind::kNoSamplingPeriod);
  EXPECT_THAT(result.error().message, HasSubstr("a.heap: the profile does not "
                                                "say how often"));
  EXPECT_EQ(KindOf(Check(Dump("main 100"))), std::nullopt);
}

TEST_F(CheckDumpsTest, RefusesAComparison) {
  Profile profile = Dump("main 100\nf 5");
  profile.samples[1].side = Side::kBase;
  EXPECT_EQ(KindOf(Check(profile)), FindingKind::kIsComparison);
}

TEST_F(CheckDumpsTest, NeedsValuesOfTheMetric) {
  options_.metric = Metric::kAllocSpace;
  EXPECT_EQ(KindOf(Check(Dump("main 100"))), FindingKind::kNoValues);
  options_.allow_empty = true;
  EXPECT_EQ(KindOf(Check(Dump("main 100"))), std::nullopt);
}

TEST_F(CheckDumpsTest, NeedsSeveralSamplesOrMuchMemory) {
  constexpr uint64_t kPeriod = 1000;
  const Profile few = Dump("main 2000", kPeriod);
  const GateResult result = Check(few);
  EXPECT_EQ(KindOf(result), FindingKind::kNextToNothing);
  EXPECT_THAT(result.error().message, HasSubstr("only 2 samples,"));
  EXPECT_THAT(Check(Dump("main 900", kPeriod)).error().message,
              HasSubstr("only 1 sample,"));
  // Little memory, but about twelve samples.
  EXPECT_EQ(KindOf(Check(Dump("main 12000", kPeriod))), std::nullopt);
  EXPECT_EQ(KindOf(Check(Dump("main 9000", kPeriod))),
            FindingKind::kNextToNothing);
  // One sample of a large object, which cannot be missed.
  Profile large = Dump("main 16000", kPeriod);
  large.samples[0].values[Metric::kInuseObjects].value = 1;
  EXPECT_EQ(KindOf(Check(large)), std::nullopt);
  options_.allow_empty = true;
  EXPECT_EQ(KindOf(Check(few)), std::nullopt);
}

TEST_F(CheckDumpsTest, RefusesTheTimeBeforeAReset) {
  options_.allow_empty = true;
  const auto check = [this](uint64_t address) {
    Profile base = Dump("main 100", 1), now = Dump("main 100", 2);
    for (Profile* const profile : {&base, &now}) {
      profile->main_binary = profile->strings.Intern("/srv/app");
      profile->mappings.push_back(
          {.start = address, .filename = profile->main_binary});
    }
    const CheckedDump dumps[] = {
        {.profile = &now, .path = "new.heap"},
        {.profile = &base, .path = "old.heap", .side = Side::kBase}};
    return KindOf(CheckDumps(dumps, options_, diagnostics_));
  };
  EXPECT_EQ(check(0x563401c35000), FindingKind::kReset);
  EXPECT_EQ(check(0), std::nullopt);
}

TEST_F(CheckDumpsTest, LimitsTheRunsOfABaseline) {
  std::vector<Profile> runs(kMostBaselineRuns + 1);
  for (Profile& run : runs) run = Dump("main 100");
  EXPECT_EQ(KindOf(CheckRuns(runs)), std::nullopt);
  options_.saves_baseline = true;
  EXPECT_EQ(KindOf(CheckRuns(runs)), FindingKind::kTooManyRuns);
  runs.pop_back();
  EXPECT_EQ(KindOf(CheckRuns(runs)), std::nullopt);
}

TEST_F(CheckDumpsTest, NeedsOneSamplingPeriodInABaseline) {
  std::vector<Profile> runs;
  for (const uint64_t period : {1u, 2u})
    runs.push_back(Dump("main 100", period));
  options_.allow_empty = true;
  EXPECT_EQ(KindOf(CheckRuns(runs)), std::nullopt);
  options_.saves_baseline = true;
  EXPECT_EQ(KindOf(CheckRuns(runs)), FindingKind::kDifferentPeriods);
}

TEST_F(CheckDumpsTest, IgnoresTheRunsOfTheBaseInABaseline) {
  options_ = {.allow_empty = true, .saves_baseline = true};
  const Profile now = Dump("main 100", 1);
  const Profile base = Dump("main 100", 2);
  const CheckedDump dumps[] = {
      {.profile = &now, .path = "new.heap"},
      {.profile = &base, .path = "old.heap", .side = Side::kBase}};
  EXPECT_EQ(KindOf(CheckDumps(dumps, options_, diagnostics_)), std::nullopt);
}

TEST_F(CheckDumpsTest, RefusesDamageOnly) {
  const Profile profile = Dump("main 100");
  diagnostics_.Warn(WarningKind::kProfileSays, "old");
  EXPECT_EQ(KindOf(Check(profile)), std::nullopt);
  diagnostics_.Warn(WarningKind::kTruncated, "cut");
  options_.allow_empty = true;
  EXPECT_EQ(KindOf(Check(profile)), FindingKind::kDamage);
  options_.accept_damaged = true;
  EXPECT_EQ(KindOf(Check(profile)), std::nullopt);
}

TEST_F(CheckDumpsTest, BlamesDamageForADumpWithoutValues) {
  diagnostics_.Warn(WarningKind::kTruncated, "cut");
  const Profile profile = Dump("");
  EXPECT_EQ(KindOf(Check(profile)), FindingKind::kDamage);
  options_.accept_damaged = true;
  EXPECT_EQ(KindOf(Check(profile)), FindingKind::kNoValues);
}

TEST(CheckBinariesTest, RefusesABinaryThatNoDumpUses) {
  Profile profile = ProfileOf("app!main 100");
  const std::vector<std::string> binaries = {"/bin/app"};
  EXPECT_EQ(KindOf(CheckBinaries(profile, {}, binaries)),
            FindingKind::kUnusedBinary);
  profile.mappings.back().elf_path = profile.strings.Intern("/bin/app");
  EXPECT_EQ(KindOf(CheckBinaries(profile, {}, binaries)), std::nullopt);
}

TEST(CheckBinariesTest, RefusesABinaryThatCannotBeRead) {
  ModuleTable modules;
  modules.rows = {{.path = "/bin/app",
                   .unresolved = 1,
                   .status = ModuleStatus::kUnreadable,
                   .info = {.reason = "Permission denied"}}};
  const GateResult result = CheckBinaries(Profile(), modules, {});
  EXPECT_EQ(KindOf(result), FindingKind::kUnreadableBinary);
  EXPECT_EQ(result.error().message, "/bin/app: Permission denied");
  modules.rows[0].unresolved = 0;  // nobody needs its names
  EXPECT_EQ(KindOf(CheckBinaries(Profile(), modules, {})), std::nullopt);
  modules.rows[0].unresolved = 1;
  modules.rows[0].status = ModuleStatus::kMissing;
  EXPECT_EQ(KindOf(CheckBinaries(Profile(), modules, {})), std::nullopt);
}

// The kind of finding in dumps of one side each, whose functions are all own
// code, except for those named "lib".
std::optional<FindingKind> ProgramsKind(std::string_view now,
                                        std::string_view base) {
  std::vector<MergeInput> inputs;
  inputs.push_back({Dump(now), Side::kNew});
  inputs.push_back({Dump(base), Side::kBase});
  const Profile profile = Merge(std::move(inputs));
  std::vector<bool> is_own;
  for (const Line& line : profile.lines)
    is_own.push_back(
        profile.String(profile.functions[line.function.index()].name) != "lib");
  return KindOf(CheckPrograms(profile, is_own, Metric::kInuseSpace));
}

TEST(CheckProgramsTest, NeedsFunctionsThatHoldMemoryInBothDumps) {
  const auto different = std::optional(FindingKind::kDifferentPrograms);
  EXPECT_EQ(ProgramsKind("main;read;lib 9\nmain;write 1",
                         "main;parse 5\nmain;write 95"),
            std::nullopt);
  // Callers, and functions of libraries, do not count.
  EXPECT_EQ(ProgramsKind("main;read;lib 9", "main;write;lib 9"), different);
  // Too little is common to both, from whichever side it is seen.
  EXPECT_EQ(
      ProgramsKind("main;read 95\nmain;write 5", "main;parse 95\nmain;write 5"),
      different);
  EXPECT_EQ(
      ProgramsKind("main;read 91\nmain;write 9", "main;parse 95\nmain;write 5"),
      different);
  EXPECT_EQ(ProgramsKind("main;read 89\nmain;write 11",
                         "main;parse 95\nmain;write 5"),
            std::nullopt);
  EXPECT_EQ(ProgramsKind("main;read 95\nmain;write 5", "main;write 5"),
            std::nullopt);
  EXPECT_EQ(ProgramsKind("main;write 5", "main;read 95\nmain;write 5"),
            std::nullopt);
  // Without own code, nothing is known.
  EXPECT_EQ(ProgramsKind("lib 5", "main;read 95"), std::nullopt);
}

TEST(CheckFilteredTest, NeedsWhatTheFiltersLeave) {
  EXPECT_EQ(KindOf(CheckFiltered(Profile(), {}, "none", {})),
            FindingKind::kNothingLeft);
  EXPECT_EQ(KindOf(CheckFiltered(Profile(), {.allow_empty = true}, "none", {})),
            std::nullopt);
}

TEST(CheckFilteredTest, NeedsWhatTheFiltersLeaveOfTheNewSide) {
  Profile profile = Dump("main 100");
  EXPECT_EQ(KindOf(CheckFiltered(profile, {}, "none", {})), std::nullopt);
  profile.samples[0].side = Side::kBase;
  const GateResult result = CheckFiltered(profile, {}, "none", {});
  EXPECT_EQ(KindOf(result), FindingKind::kNothingLeft);
  EXPECT_THAT(result.error().message, HasSubstr("of the new side"));
  EXPECT_EQ(KindOf(CheckFiltered(profile, {.allow_empty = true}, "none", {})),
            std::nullopt);
}

TEST(CheckFilteredTest, NeedsOwnCodeOnBothSides) {
  const Profile profile = ProfileOf("main 100");
  const auto check = [&profile](bool new_lacks, bool base_lacks,
                                const GateOptions& options) {
    return CheckFiltered(profile, options, "auto", {new_lacks, base_lacks});
  };
  EXPECT_EQ(KindOf(check(false, false, {})), std::nullopt);
  for (const bool is_base : {false, true}) {
    const GateResult result = check(!is_base, is_base, {});
    EXPECT_EQ(KindOf(result), FindingKind::kNoOwnCode);
    EXPECT_THAT(result.error().message,
                HasSubstr(is_base ? "--own=auto finds none of your code on the "
                                    "base, so"
                                  : "none of your code on the new side, so"));
    EXPECT_EQ(KindOf(check(!is_base, is_base, {.allow_empty = true})),
              std::nullopt);
  }
}

// A profile whose functions with "+0x" in their names have none.
Profile BothSides(std::string_view before, std::string_view after) {
  Profile profile = ProfileWithUnresolved(fmt::format("{}\n{}", before, after));
  const auto count = std::ranges::count(before, '\n') + 1;
  for (size_t i = 0; i < profile.samples.size(); ++i)
    profile.samples[i].side =
        i < static_cast<size_t>(count) ? Side::kBase : Side::kNew;
  return profile;
}

// The names of such functions are offsets, which differ between builds.
TEST(CheckProgramsTest, TakesNoNoticeOfFunctionsWithoutNames) {
  const Profile profile = BothSides("app!app+0x1 100", "app!app+0x9 100");
  const std::vector<bool> is_own(profile.lines.size(), true);
  EXPECT_EQ(KindOf(CheckPrograms(profile, is_own, Metric::kInuseSpace)),
            std::nullopt);
}

std::optional<FindingKind> Names(const Profile& profile,
                                 const CheckSettings& settings) {
  Budgets budgets;
  budgets.settings = settings;
  return KindOf(CheckNames(profile, Metric::kInuseSpace, budgets));
}

TEST(CheckNamesTest, DemandsTheNamesThatTheUserRequires) {
  const Profile profile =
      BothSides("app!main 100", "app!main 60\napp!app+0x1 40");
  EXPECT_EQ(Names(profile, {.require_symbols = 60}), std::nullopt);
  EXPECT_EQ(Names(profile, {.require_symbols = 61}), FindingKind::kFewNames);
  Budgets budgets;
  budgets.settings.require_symbols = 61;
  EXPECT_EQ(CheckNames(profile, Metric::kInuseSpace, budgets).error().message,
            "only 60.0% of the new side has names, --require-symbols demands "
            "61 %; see heapprof info");
}

TEST(CheckNamesTest, DemandsNamesOfFunctionsThatAreMatched) {
  const Profile profile =
      BothSides("app!main 100", "app!main 89\nlib!lib+0x1 11");
  const CheckSettings limited = {.max_growth = ParsedLimit()};
  EXPECT_EQ(Names(profile, limited), FindingKind::kFewMatchable);
  EXPECT_EQ(
      Names(BothSides("app!main 100", "app!main 91\nlib!lib+0x1 9"), limited),
      std::nullopt);
  // Only the total is judged.
  EXPECT_EQ(Names(profile, {.max_total = ParsedSize()}), std::nullopt);
  // Modules and threads have names without symbols.
  for (const CompareBy by : {CompareBy::kModule, CompareBy::kThread})
    EXPECT_EQ(Names(profile, {.max_growth = ParsedLimit(), .by = by}),
              std::nullopt);
  // The user accepts it.
  EXPECT_EQ(
      Names(profile, {.max_growth = ParsedLimit(), .require_symbols = 80}),
      std::nullopt);
}

// Both sides use the same file, so its functions match by their offsets.
TEST(CheckNamesTest, NeedsNoNamesInAFileOfBothSides) {
  const CheckSettings limited = {.max_growth = ParsedLimit()};
  EXPECT_EQ(Names(BothSides("app!app+0x1 100", "app!app+0x1 120"), limited),
            std::nullopt);
  // Here, one side has names for this file.
  EXPECT_EQ(Names(BothSides("app!main 100", "app!app+0x1 120"), limited),
            FindingKind::kFewMatchable);
  // Or for more of its addresses: all but `nameless`.
  const auto functions = [](int count, int nameless) {
    std::string stacks;
    for (int i = 0; i < count; ++i)
      stacks += fmt::format("app!{}{} 10\n", i < nameless ? "app+0x" : "f", i);
    return stacks;
  };
  EXPECT_EQ(Names(BothSides(functions(50, 5), functions(50, 15)), limited),
            std::nullopt);
  EXPECT_EQ(Names(BothSides(functions(50, 5), functions(50, 20)), limited),
            FindingKind::kFewMatchable);
  // Of a few addresses, more or fewer may have names by chance.
  EXPECT_EQ(Names(BothSides(functions(5, 3), functions(7, 6)), limited),
            std::nullopt);
}

// An unloaded library is one function on both sides.
TEST(CheckNamesTest, NeedsNoNamesOutsideTheMemoryMap) {
  const CheckSettings limited = {.max_growth = ParsedLimit()};
  Profile profile = BothSides("app!main 100", "app!main 60\n0x7f+0x1 40");
  EXPECT_EQ(Names(profile, limited), FindingKind::kFewMatchable);
  profile.has_memory_map = true;
  EXPECT_EQ(Names(profile, limited), std::nullopt);
}

// --focus has removed 40 bytes without names, perhaps of what it asks for.
TEST(CheckNamesTest, CountsWhatFiltersRemovedBecauseItHasNoName) {
  Profile profile = BothSides("app!main 100", "app!main 60");
  profile.filtered_out.now[Metric::kInuseSpace].value = 40;
  profile.is_comparison = true;
  const auto check = [&profile](const Sides<double>& removed,
                                std::optional<double> required) {
    Budgets budgets;
    budgets.settings = {.max_total = ParsedSize(), .require_symbols = required};
    return CheckNames(profile, Metric::kInuseSpace, budgets, removed);
  };
  EXPECT_EQ(KindOf(check({40, 0}, 61)), FindingKind::kFewNames);
  EXPECT_EQ(KindOf(check({40, 0}, 60)), std::nullopt);
  const GateResult result = check({40, 0}, std::nullopt);
  EXPECT_EQ(KindOf(result), FindingKind::kFewMatchable);
  EXPECT_THAT(result.error().message,
              HasSubstr("40.0% of the new side has no names, so the filters"));
  EXPECT_EQ(KindOf(check({10, 0}, std::nullopt)), std::nullopt);
  EXPECT_EQ(KindOf(check({40, 40}, std::nullopt)), std::nullopt);
  profile.filtered_out.base[Metric::kInuseSpace].value = 40;
  const GateResult of_base = check({0, 40}, std::nullopt);
  EXPECT_EQ(KindOf(of_base), FindingKind::kFewMatchable);
  EXPECT_THAT(of_base.error().message, HasSubstr("of the base has no names"));
  // Without a base to compare with, most of it must be.
  profile.is_comparison = false;
  EXPECT_EQ(KindOf(check({50, 0}, std::nullopt)), std::nullopt);
  EXPECT_EQ(KindOf(check({51, 0}, std::nullopt)), FindingKind::kFewMatchable);
}

}  // namespace
}  // namespace heapprof
