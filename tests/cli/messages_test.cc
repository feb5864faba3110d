// SPDX-License-Identifier: Apache-2.0
#include "cli/messages.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/info.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A module: how many addresses it has, and how many of them without a name.
struct Coverage {
  const char* path;
  size_t locations;
  size_t unresolved;
  const char* reason;
};

std::string SummaryOf(const std::vector<Coverage>& modules, double percent,
                      Metric metric = Metric::kInuseSpace) {
  ModuleTable table;
  table.metric = metric;
  table.unresolved_percent = percent;
  for (const auto& [path, locations, unresolved, reason] : modules) {
    ModuleRow row;
    row.path = path;
    row.locations = locations;
    row.unresolved = unresolved;
    row.facts.reason = reason;
    if (unresolved > 0) ++table.unresolved;
    table.rows.push_back(row);
  }
  return CoverageSummary(table);
}

TEST(CoverageSummaryTest, IsEmptyIfEveryAddressHasAName) {
  EXPECT_EQ(
      SummaryOf({{"/x/app", 3, 0, ""}, {"/x/libz.so", 1, 0, "no lines"}}, 0),
      "");
}

TEST(CoverageSummaryTest, SaysWhyAModuleHasNoNames) {
  EXPECT_EQ(SummaryOf({{"/gone/libz.so.1", 1, 1, "/gone/libz.so.1 not found"},
                       {"/x/app", 1, 0, ""}},
                      100),
            "1 of 2 modules unresolved (100.0 % of bytes): libz.so.1: "
            "/gone/libz.so.1 not found");
}

TEST(CoverageSummaryTest, ListsTheFirstThreeModulesThatAreUnresolved) {
  EXPECT_EQ(SummaryOf({{"/x/d", 1, 1, "D"},
                       {"/x/c", 1, 1, "C"},
                       {"/x/n", 9, 0, "N"},
                       {"/x/b", 1, 1, "B"},
                       {"/x/a", 1, 1, "A"},
                       {"/x/e", 1, 1, "E"}},
                      12.34),
            "5 of 6 modules unresolved (12.3 % of bytes): d: D; c: C; b: B; "
            "and 2 more");
}

TEST(CoverageSummaryTest, CountsAddressesOutsideTheMemoryMap) {
  EXPECT_EQ(SummaryOf({{"", 2, 2, "whatever"}}, 50),
            "1 of 1 modules unresolved (50.0 % of bytes): 2 addresses outside "
            "the memory map");
}

TEST(CoverageSummaryTest, NamesObjectsWhereTheyAreCounted) {
  EXPECT_EQ(SummaryOf({{"/x/a", 1, 1, "A"}}, 0, Metric::kAllocObjects),
            "1 of 1 modules unresolved (0.0 % of objects): a: A");
}

TEST(EmptyReasonTest, NamesTheCauseThatComesFirst) {
  Options options;
  Profile profile;
  profile.sampling_period = 524288;
  EXPECT_EQ(EmptyReason(/*has_new_side=*/false, profile, options),
            "the dump holds no samples: profiling was not active, or the heap "
            "is small against the sampling period of 524288 bytes");
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, profile, options),
            "no sample has a value of the metric asked for");
  options.bases = {"old.heap"};
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, profile, options),
            "no difference to the base");
  options.drop_negative = true;
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, profile, options),
            "nothing grew against the base");
}

TEST(EmptyReasonTest, PointsToAMetricThatHasValues) {
  Profile profile = ProfileOf("main 4\n");
  std::swap(profile.samples[0].values[Metric::kInuseSpace],
            profile.samples[0].values[Metric::kAllocSpace]);
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, profile, {}),
            "no sample has a value of the metric asked for; --alloc_space has "
            "some");
}

TEST(FilterSummaryTest, SaysWhatEachFilterTookInOneLine) {
  EXPECT_EQ(FilterSummary({}, Metric::kInuseSpace), "");
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
          Metric::kInuseSpace),
      "--exclude=a cut frames from 1 stack; --focus=b removed 3 of 9 stacks "
      "with 1234 bytes (12.3 %); --ignore=c changed nothing; --own=d cut "
      "frames from 2 stacks and left 4 stacks as [not own]");
  EXPECT_EQ(FilterSummary({{.filter = "--own=x", .not_own_stacks = 1}},
                          Metric::kInuseSpace),
            "--own=x left 1 stack as [not own]");
}

TEST(FilterSummaryTest, SaysWhichFilterLeftNothing) {
  EXPECT_EQ(FilterSummary({{.filter = "--retain=a",
                            .removed_stacks = 1,
                            .removed_value = 2,
                            .removed_percent = 100,
                            .cut_stacks = 2,
                            .left_stacks = 0}},
                          Metric::kAllocObjects),
            "--retain=a cut frames from 2 stacks and removed 1 of 1 stack with "
            "2 objects (100.0 %), which leaves nothing to show");
}

TEST(WarningsTest, ShowsTheFirstOfEachKindOrAllThatWereKept) {
  Diagnostics diagnostics;
  EXPECT_THAT(Warnings(diagnostics, /*all=*/false), IsEmpty());
  for (const char* message : {"a1", "a2", "a3", "a4", "a5"})
    diagnostics.Warn("a", message);
  diagnostics.Warn("b", "b1");
  EXPECT_THAT(Warnings(diagnostics, /*all=*/false),
              ElementsAre("a1 (and 4 more of this kind)", "b1"));
  EXPECT_THAT(Warnings(diagnostics, /*all=*/true),
              ElementsAre("a1", "a2", "a3 (and 2 more of this kind)", "b1"));
}

}  // namespace
}  // namespace heapprof
