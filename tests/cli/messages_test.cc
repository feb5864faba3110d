// SPDX-License-Identifier: Apache-2.0
#include "cli/messages.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/diagnostics.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/coverage.h"
#include "heapprof/symbolize/symbolizer.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Marks functions whose name says so.
void MarkUnresolved(Profile& profile) {
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
}

std::string SummaryOf(const Profile& profile, const Symbolizer& symbolizer,
                      Metric metric = Metric::kInuseSpace) {
  return CoverageSummary(profile, MeasureCoverage(profile, metric), symbolizer,
                         metric);
}

TEST(CoverageSummaryTest, IsEmptyIfEveryAddressHasAName) {
  EXPECT_EQ(SummaryOf(ProfileOf("/x/app!main;/x/libz.so.1!deflate 7\n"),
                      Symbolizer({})),
            "");
}

TEST(CoverageSummaryTest, CountsAddressesThatNothingNames) {
  Profile profile = ProfileOf(
      "/x/app!main;/x/libz.so.1!libz.so.1+0x10 25\n"
      "/x/app!main;/x/libz.so.1!deflate 75\n");
  MarkUnresolved(profile);
  EXPECT_EQ(SummaryOf(profile, Symbolizer({})),
            "1 of 2 modules unresolved (25.0 % of bytes): libz.so.1: no symbol "
            "for 1 of 2 addresses");
}

TEST(CoverageSummaryTest, SaysWhyAModuleHasNoNames) {
  Profile profile = ProfileOf("/x/app!main;/gone/libz.so.1!libz.so.1+0x10 7\n");
  MarkUnresolved(profile);
  Symbolizer symbolizer({});
  Diagnostics diagnostics;
  symbolizer.Bind(profile, diagnostics);
  EXPECT_EQ(SummaryOf(profile, symbolizer),
            "1 of 2 modules unresolved (100.0 % of bytes): libz.so.1: "
            "/gone/libz.so.1 not found");
}

TEST(CoverageSummaryTest, ListsTheThreeHeaviestModulesTiesAsInTheMap) {
  Profile profile = ProfileOf(
      "/x/a!a+0x1 1\n/x/c!c+0x1 2\n/x/b!b+0x1 2\n/x/d!d+0x1 4\n/x/e!e+0x1 0\n");
  MarkUnresolved(profile);
  EXPECT_EQ(SummaryOf(profile, Symbolizer({})),
            "5 of 5 modules unresolved (100.0 % of bytes): d: no symbol for 1 "
            "of 1 addresses; c: no symbol for 1 of 1 addresses; b: no symbol "
            "for 1 of 1 addresses; and 2 more");
}

TEST(CoverageSummaryTest, CountsAddressesOutsideTheMemoryMap) {
  Profile profile = ProfileOf("/x/app!main;jit+0x20;jit+0x10 7\n");
  MarkUnresolved(profile);
  EXPECT_EQ(SummaryOf(profile, Symbolizer({})),
            "1 of 2 modules unresolved (100.0 % of bytes): 2 addresses outside "
            "the memory map");
}

TEST(CoverageSummaryTest, HasNoShareOfNothing) {
  Profile profile = ProfileOf("/x/a!a+0x1 7\n");
  MarkUnresolved(profile);
  EXPECT_EQ(SummaryOf(profile, Symbolizer({}), Metric::kAllocObjects),
            "1 of 1 modules unresolved (0.0 % of objects): a: no symbol for 1 "
            "of 1 addresses");
}

TEST(EmptyReasonTest, NamesTheCauseThatComesFirst) {
  Options options;
  constexpr uint64_t kPeriod = 524288;
  EXPECT_EQ(EmptyReason(/*has_new_side=*/false, kPeriod, options),
            "the dump holds no samples: profiling was not active, or the heap "
            "is small against the sampling period of 524288 bytes");
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, kPeriod, options),
            "no sample has a value of the metric asked for");
  options.bases = {"old.heap"};
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, kPeriod, options),
            "no difference to the base");
  options.drop_negative = true;
  EXPECT_EQ(EmptyReason(/*has_new_side=*/true, kPeriod, options),
            "nothing grew against the base");
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
