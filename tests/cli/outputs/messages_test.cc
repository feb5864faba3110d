// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/messages.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A module: what has no name because of it, and why.
struct Coverage {
  const char* path;
  double percent;
  ModuleStatus status = ModuleStatus::kNoNames;
  FileState state = FileState::kNoDebugInfo;
  const char* reason = "";
};

std::string SummaryOf(const std::vector<Coverage>& modules,
                      const CoverageStyle& look = {},
                      Metric metric = Metric::kInuseSpace) {
  ModuleTable table;
  table.metric = metric;
  for (const auto& [path, percent, status, state, reason] : modules) {
    ModuleRow row;
    row.path = path;
    row.locations = 9;
    row.unresolved = 3;
    row.status = status;
    row.nameless_percent = percent;
    row.info.file_state = state;
    row.info.reason = reason;
    table.nameless_percent += percent;
    table.rows.push_back(row);
  }
  return CoverageSummary(table, look);
}

TEST(CoverageSummaryTest, IsSilentBelowOnePercent) {
  const std::vector<Coverage> good = {{"/x/app", 0, ModuleStatus::kNoLines}};
  EXPECT_EQ(SummaryOf({}), "");
  EXPECT_EQ(SummaryOf(good), "");
  EXPECT_EQ(SummaryOf(good, {.is_verbose = true}), "");
  const std::vector<Coverage> nearly = {{"/x/app", 0.98}};
  EXPECT_EQ(SummaryOf(nearly), "");
  EXPECT_EQ(SummaryOf(nearly, {.is_verbose = true}),
            "0.98% of bytes have no names: app has no debug information; see "
            "heapprof info");
  EXPECT_EQ(SummaryOf({{"/x/app", 0.01}}, {.is_verbose = true}),
            "0.01% of bytes have no names: app has no debug information; "
            "see heapprof info");
  EXPECT_NE(SummaryOf({{"/x/app", 1}}), "");
}

TEST(CoverageSummaryTest, NamesTheWorstModuleAndCountsTheOthers) {
  EXPECT_EQ(
      SummaryOf(
          {{"/x/a", 1}, {"/x/libz.so.1", 50}, {"/x/ok", 0}, {"/x/b", 0.2}}),
      "51.2% of bytes have no names: libz.so.1 has no debug information "
      "(2 more modules; see heapprof info)");
  EXPECT_EQ(SummaryOf({{"/x/a", 1}, {"/x/libz.so.1", 50}}),
            "51.0% of bytes have no names: libz.so.1 has no debug information "
            "(1 more module; see heapprof info)");
}

TEST(CoverageSummaryTest, SaysWhyInAFewWords) {
  const auto why = [](ModuleStatus status, FileState state,
                      const char* reason) {
    const std::string text = SummaryOf({{"/x/lib", 50, status, state, reason}});
    const std::string start = "50.0% of bytes have no names: ";
    const std::string end = "; see heapprof info";
    EXPECT_TRUE(text.starts_with(start) && text.ends_with(end)) << text;
    return text.substr(start.size(), text.size() - start.size() - end.size());
  };
  using enum ModuleStatus;
  EXPECT_EQ(why(kMissing, FileState::kNotFound, "?"), "lib was not found");
  EXPECT_EQ(why(kUnreadable, FileState::kUnreadable, "?"),
            "lib cannot be read");
  EXPECT_EQ(why(kWrongBuild, FileState::kAnotherBuild, "9 % fit"),
            "lib is not the file that ran (9 % fit)");
  EXPECT_EQ(why(kGenerated, FileState::kGenerated, "?"),
            "lib is code made at run time (see --perf-map)");
  EXPECT_EQ(why(kKernel, FileState::kKernelCode, "?"),
            "lib is code of the kernel");
  EXPECT_EQ(why(kNoAddresses, FileState::kNoAddresses, "?"),
            "lib has addresses of unknown kind");
  EXPECT_EQ(why(kSomeNames, FileState::kNoDebugInfo, "?"),
            "lib has no debug information");
  EXPECT_EQ(why(kSomeNames, FileState::kFound, "?"),
            "lib has no symbol for 3 of 9 addresses");
}

TEST(CoverageSummaryTest, DistinguishesAddressesOutsideTheMapFromAMissingMap) {
  ModuleTable table;
  table.nameless_percent = 50;
  table.rows.resize(1);
  table.rows[0].nameless_percent = 50;
  table.rows[0].status = ModuleStatus::kUnmapped;
  EXPECT_EQ(
      CoverageSummary(table, {}),
      "50.0% of bytes have no names: addresses outside the memory map; see "
      "heapprof info");
  table.has_memory_map = false;
  table.rows[0].info.reason = "the dump has no memory map";
  EXPECT_EQ(CoverageSummary(table, {}),
            "50.0% of bytes have no names: the dump has no memory map; see "
            "heapprof info");
  EXPECT_EQ(CoverageSummary(table, {.columns = 60}),
            "50.0% of bytes have no names; see heapprof info");
}

TEST(CoverageSummaryTest, FitsTheLineWithoutCuttingTheSentence) {
  const std::vector<Coverage> modules = {
      {"/x/libstdc++.so.6.0.30", 50}, {"/x/b", 1}, {"/x/c", 1}};
  const auto in = [&modules](size_t columns) {
    const std::string text = SummaryOf(modules, {.columns = columns});
    EXPECT_LE(text.size(), columns + 2);  // "…" has three bytes
    return text;
  };
  const std::string whole =
      "52.0% of bytes have no names: libstdc++.so.6.0.30 has no debug "
      "information (2 more modules; see heapprof info)";
  EXPECT_EQ(in(whole.size()), whole);
  EXPECT_EQ(in(whole.size() - 1),
            "52.0% of bytes have no names: libstdc++.so.6.0.30 has no debug "
            "information; see heapprof info");
  EXPECT_EQ(in(80),
            "52.0% of bytes have no names (libstdc++.so.6.0.30); see heapprof "
            "info");
  EXPECT_EQ(in(55), "52.0% of bytes have no names; see heapprof info");
  EXPECT_EQ(in(64),
            "52.0% of bytes have no names (libst…o.6.0.30); see heapprof "
            "info");
}

TEST(CoverageSummaryTest, SaysInANarrowTerminalWhatHappened) {
  EXPECT_EQ(SummaryOf({{"/x/server", 50, ModuleStatus::kMissing,
                        FileState::kNotFound}},
                      {.columns = 67}),
            "50.0% of bytes have no names (server: missing); see heapprof "
            "info");
}

TEST(CoverageSummaryTest, NamesWhatIsCounted) {
  EXPECT_EQ(SummaryOf({{"/x/a", 50}}, {}, Metric::kAllocObjects),
            "50.0% of objects have no names: a has no debug information; see "
            "heapprof info");
  EXPECT_EQ(SummaryOf({{"/x/a", 50}}, {.is_comparison = true}),
            "50.0% of the difference has no names: a has no debug "
            "information; see heapprof info");
}

TEST(EmptyReasonTest, NamesTheCauseThatComesFirst) {
  Options options;
  Profile profile;
  profile.sampling_period = 524288;
  EXPECT_EQ(EmptyReason({.has_new_side = false}, profile, options),
            "the dump holds no samples: profiling was not active, or the heap "
            "is small against the sampling period of 512 KiB");
  EXPECT_EQ(EmptyReason({.has_new_side = true}, profile, options),
            "no sample has a value of the metric asked for");
  // Also without --base, because a pprof profile may have both sides.
  profile.is_comparison = true;
  EXPECT_EQ(EmptyReason({.has_new_side = true}, profile, options),
            "no difference to the base");
  options.drop_negative = true;
  EXPECT_EQ(EmptyReason({.has_new_side = true}, profile, options),
            "nothing grew against the base");
}

TEST(EmptyReasonTest, PointsToAMetricThatHasValues) {
  EXPECT_EQ(EmptyReason({.has_new_side = true,
                         .metric_with_values = Metric::kAllocSpace},
                        Profile(), {}),
            "no sample has a value of the metric asked for; --alloc_space has "
            "some");
}

TEST(FilterSummaryTest, SaysWhatEachFilterTookInOneLine) {
  EXPECT_EQ(FilterSummary({}, Unit::kBytes), "");
  EXPECT_EQ(
      FilterSummary(
          {{.filter = "--exclude=a", .cut_stacks = 1, .left_stacks = 9},
           {.filter = "--focus=b",
            .removed_stacks = 3,
            .removed_value = 1234.9,
            .removed_percent = 12.34,
            .left_stacks = 6},
           {.filter = "--ignore=c", .left_stacks = 6},
           {.filter = "--own=d", .cut_stacks = 2, .not_own_stacks = 4}},
          Unit::kMegabytes),
      "--exclude=a cut frames from 1 stack; --focus=b removed 3 of 9 stacks "
      "with 1.2 KiB (12.3%); --ignore=c changed nothing; --own=d cut "
      "frames from 2 stacks and left 4 stacks as [outside your code]");
  EXPECT_EQ(FilterSummary({{.filter = "--own=x", .not_own_stacks = 1}},
                          Unit::kMegabytes),
            "--own=x left 1 stack as [outside your code]");
}

TEST(FilterSummaryTest, SaysThatAFilterAffectedOnlyWhatIsEqualOnBothSides) {
  EXPECT_EQ(
      FilterSummary({{.filter = "--focus=x", .equal_stacks = 2}}, Unit::kBytes),
      "--focus=x affected only 2 stacks without a difference");
}

TEST(FilterSummaryTest, SaysThatValuesOfAComparisonAreChanges) {
  const FilterEffect effect = {.filter = "--focus=x",
                               .removed_stacks = 2,
                               .removed_value = 2048,
                               .removed_nameless = {2048, 0},
                               .removed_percent = 75,
                               .left_stacks = 1};
  EXPECT_EQ(FilterSummary({effect}, Unit::kMegabytes, true),
            "--focus=x removed 2 of 3 stacks that changed, by +2.0 KiB (75.0% "
            "of all changes)");
  EXPECT_EQ(FilterSummary({{.filter = "--focus=x",
                            .removed_stacks = 1,
                            .removed_value = -2048,
                            .removed_percent = 100}},
                          Unit::kMegabytes, true),
            "--focus=x removed 1 of 1 stack that changed, by -2.0 KiB (100% of "
            "all changes), which leaves no change to show");
}

TEST(FilterSummaryTest, GivesNoSignToWhatIsShownAsZero) {
  EXPECT_EQ(FilterSummary({{.filter = "--focus=x",
                            .removed_stacks = 1,
                            .removed_value = 0.25,
                            .removed_percent = 1,
                            .left_stacks = 1}},
                          Unit::kObjects, true),
            "--focus=x removed 1 of 2 stacks that changed, by 0 objects (1.0% "
            "of all changes)");
}

TEST(FilterSummaryTest, SaysWhatWasRemovedWithoutNames) {
  FilterEffect effect = {.filter = "--focus=x",
                         .removed_stacks = 2,
                         .removed_value = 4096,
                         .removed_nameless = {2048, 0},
                         .removed_percent = 100};
  EXPECT_EQ(FilterSummary({effect}, Unit::kMegabytes),
            "--focus=x removed 2 of 2 stacks with 4.0 KiB (100%), which leaves "
            "nothing to show; 2.0 KiB of it without names, see heapprof info");
  effect.removed_nameless.now = 2000;
  EXPECT_EQ(FilterSummary({effect}, Unit::kMegabytes),
            "--focus=x removed 2 of 2 stacks with 4.0 KiB (100%), which leaves "
            "nothing to show");
}

TEST(FilterSummaryTest, SaysHowMuchOfTheStacksAThreadDoesNotHold) {
  EXPECT_EQ(FilterSummary({{.filter = "--thread=7",
                            .removed_value = 2048,
                            .removed_percent = 50,
                            .left_stacks = 3}},
                          Unit::kMegabytes),
            "--thread=7 removed no stack but 2.0 KiB (50.0%) of 3 stacks");
}

TEST(FilterSummaryTest, SaysWhichFilterLeftNothing) {
  EXPECT_EQ(FilterSummary({{.filter = "--retain=a",
                            .removed_stacks = 1,
                            .removed_value = 2,
                            .removed_percent = 100,
                            .cut_stacks = 2,
                            .left_stacks = 0}},
                          Unit::kObjects),
            "--retain=a cut frames from 2 stacks and removed 1 of 1 stack with "
            "2 objects (100%), which leaves nothing to show");
}

// Tables show such names.
TEST(FilterSummaryTest, SaysThatNamesAreMatchedWithoutAddresses) {
  const auto summary = [](const std::string& filter) {
    return FilterSummary({{.filter = filter,
                           .removed_stacks = 1,
                           .removed_value = 2,
                           .removed_percent = 100}},
                         Unit::kObjects);
  };
  EXPECT_THAT(summary("--focus=Init@a9610"), HasSubstr("without the '@'"));
  EXPECT_THAT(summary("--focus=^Init@a9610$"), HasSubstr("without the '@'"));
  EXPECT_THAT(summary("--focus=mail@host"), Not(HasSubstr("without")));
}

size_t NotesOfTags(std::string_view report) {
  Diagnostics diagnostics;
  NoteTags(report, diagnostics);
  return diagnostics.notes().size();
}

TEST(NoteTagsTest, ExplainsNamesWithStartAddresses) {
  EXPECT_EQ(NotesOfTags("33.3%  Load → QString::QString@3f1a20\n"), 1u);
  EXPECT_EQ(NotesOfTags("f@1ba0, a.cc:7 and f@1bc0"), 1u);
  EXPECT_EQ(NotesOfTags("f@1ba0 → g"), 1u);
  EXPECT_EQ(NotesOfTags("f@2"), 1u);
  EXPECT_EQ(NotesOfTags("f@V2, operator@ 2, f@"), 0u);
  EXPECT_EQ(NotesOfTags("/srv/a@2/server, lib@2.so"), 0u);
  EXPECT_EQ(NotesOfTags("heapprof --groups=@cafe x.heap"), 0u);
  EXPECT_EQ(NotesOfTags(""), 0u);
  Diagnostics diagnostics;
  NoteTags("QString::QString@3f1a20 (inline)", diagnostics);
  EXPECT_THAT(diagnostics.notes(),
              ElementsAre("@3f1a20: overloads of one name; --names=full tells "
                          "them apart"));
}

TEST(WarningsTest, ShowsTheFirstOfEachKindOrAllThatWereKept) {
  Diagnostics diagnostics;
  EXPECT_THAT(Warnings(diagnostics, /*all=*/false), IsEmpty());
  for (const char* message : {"a1", "a2", "a3", "a4", "a5"})
    diagnostics.Warn(WarningKind::kTruncated, message);
  diagnostics.Warn(WarningKind::kMalformedLine, "b1");
  EXPECT_THAT(Warnings(diagnostics, /*all=*/false),
              ElementsAre("a1 (and 4 more of this kind)", "b1"));
  EXPECT_THAT(Warnings(diagnostics, /*all=*/true),
              ElementsAre("a1", "a2", "a3 (and 2 more of this kind)", "b1"));
}

TEST(LinesOfMessagesTest, CountsWhatATerminalWraps) {
  Diagnostics diagnostics;
  Options options;
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 80), 0u);
  // "heapprof: " precedes it.
  diagnostics.Note(std::string(65, 'n') + " end.");
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 80), 1u);
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 79), 2u);
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 0), 1u);
  // Only the first of a kind is printed, and says how many there are.
  for (int i = 0; i < 3; ++i)
    diagnostics.Warn(WarningKind::kTruncated, std::string(56, 'w') + " end.");
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 80), 3u);
  options.verbose = true;
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 80), 4u);
  options.quiet = true;
  EXPECT_EQ(LinesOfMessages(diagnostics, options, 80), 0u);
}

}  // namespace
}  // namespace heapprof
