// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flat_table.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/transform/groups.h"
#include "heapprof/view/change.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "name flat cumulative" per row.
std::vector<std::string> Rows(const FlatTable& table) {
  std::vector<std::string> rows;
  for (const FlatRow& row : table.rows)
    rows.push_back(fmt::format("{} {} {}", row.name, Difference(row.flat),
                               Difference(row.cumulative)));
  return rows;
}

std::vector<std::string> Rows(std::string_view stacks,
                              const FlatOptions& options = {}) {
  return Rows(MakeFlatTable(ProfileOf(stacks), options));
}

TEST(FlatTableTest, SumsWhatAFunctionHoldsItselfAndThroughOthers) {
  EXPECT_THAT(Rows("main;f;g 100\nmain;f 20\nmain;g 3\n"),
              ElementsAre("g 103 103", "f 20 120", "main 0 123"));
}

TEST(FlatTableTest, CountsARecursiveFunctionOncePerStack) {
  EXPECT_THAT(Rows("main;f;g;f;f 100\n"),
              ElementsAre("f 100 100", "g 0 100", "main 0 100"));
}

TEST(FlatTableTest, CountsARecursionThroughInlinedCallsOncePerStack) {
  EXPECT_THAT(Rows("main;f|g;f|g 100\n"),
              ElementsAre("g (inline) 100 100", "f 0 100", "main 0 100"));
}

TEST(FlatTableTest, GivesFlatToTheInnermostInlinedCall) {
  EXPECT_THAT(
      Rows("main;f|g|h 8\n"),
      ElementsAre("h (inline) 8 8", "f 0 8", "g (inline) 0 8", "main 0 8"));
}

// What no group has is shown even if it is nothing.
TEST(FlatTableTest, GivesEachStackToItsGroup) {
  const auto rows = [](std::string_view stacks) {
    Profile profile = ProfileOf(stacks);
    std::vector<Group> groups(1);
    groups[0].name = "A";
    groups[0].functions.push_back(*Regex::Compile("groups", "^a"));
    EXPECT_TRUE(AddGroupRoots(groups, profile));
    return Rows(MakeFlatTable(
        profile, {.labels = {.granularity = Granularity::kGroups}}));
  };
  EXPECT_THAT(rows("main;a1;f 4\nmain;a2;a1 2\nmain;f 1\n"),
              ElementsAre("A 6 6", "[other] 1 1"));
  EXPECT_THAT(rows("a 4\n"), ElementsAre("A 4 4", "[other] 0 0"));
}

TEST(FlatTableTest, SortsByFlatThenByName) {
  EXPECT_THAT(Rows("b 5\na 5\nZ 5\nc 9\n"),
              ElementsAre("c 9 9", "Z 5 5", "a 5 5", "b 5 5"));
}

TEST(FlatTableTest, SortsByCumulativeThenByName) {
  EXPECT_THAT(Rows("main;b 5\nmain;a;c 5\n", {.sort_by_cumulative = true}),
              ElementsAre("main 0 10", "a 0 5", "b 5 5", "c 5 5"));
}

TEST(FlatTableTest, SortsDifferencesBySize) {
  constexpr std::string_view kStacks = "main;f -50\nmain;g 20\nmain;h -7\n";
  EXPECT_THAT(Rows(kStacks),
              ElementsAre("f -50 -50", "g 20 20", "h -7 -7", "main 0 -37"));
  EXPECT_THAT(Rows(kStacks, {.sort_by_cumulative = true}),
              ElementsAre("f -50 -50", "main 0 -37", "g 20 20", "h -7 -7"));
}

TEST(FlatTableTest, SortsDifferencesAsTheyAreRounded) {
  Profile profile = ProfileOf("f 7.5\ng 8.25\n");
  AddBase(0, {.value = 2}, profile);
  AddBase(1, {.value = 2.875}, profile);
  const FlatTable table = MakeFlatTable(profile, {});
  EXPECT_EQ(table.rows[0].name, "g");  // 8 - 2, although 5.375 < 5.5
  EXPECT_EQ(table.rows[1].name, "f");
  EXPECT_EQ(WholeChange(table.total), 15 - 4);
}

TEST(FlatTableTest, LeavesOutFunctionsWithoutValue) {
  EXPECT_THAT(Rows("main;f 5\nmain;g 0\nmain;h -5\n"),
              ElementsAre("f 5 5", "h -5 -5"));
}

TEST(FlatTableTest, TakesPercentagesOfTheTotal) {
  const FlatTable table =
      MakeFlatTable(ProfileOf("main;f;g 75\nmain;f 25\n"), FlatOptions{});
  ASSERT_THAT(Rows(table), ElementsAre("g 75 75", "f 25 100", "main 0 100"));
  EXPECT_EQ(Difference(table.total), 100);
  EXPECT_EQ(table.rows[0].flat_percent, 75);
  EXPECT_EQ(table.rows[0].running_percent, 75);
  EXPECT_EQ(table.rows[0].cumulative_percent, 75);
  EXPECT_EQ(table.rows[1].flat_percent, 25);
  EXPECT_EQ(table.rows[1].running_percent, 100);
  EXPECT_EQ(table.rows[1].cumulative_percent, 100);
  EXPECT_EQ(table.rows[2].flat_percent, 0);
}

TEST(FlatTableTest, HasNoPercentagesOfATotalThatIsOnlyARoundingError) {
  const FlatTable table = MakeFlatTable(
      ProfileOf("f 0.1\nf 0.2\ng -0.3\nmain;h 7\nmain;h -7\n"), {});
  EXPECT_EQ(Difference(table.shown), 0);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].flat_percent, 0);
}

TEST(FlatTableTest, HasNoPercentagesOfATotalOfZero) {
  const FlatTable table =
      MakeFlatTable(ProfileOf("f 5\ng -5\n"), FlatOptions{});
  ASSERT_THAT(Rows(table), ElementsAre("f 5 5", "g -5 -5"));
  for (const FlatRow& row : table.rows) {
    EXPECT_EQ(row.flat_percent, 0);
    EXPECT_EQ(row.running_percent, 0);
    EXPECT_EQ(row.cumulative_percent, 0);
  }
}

TEST(FlatTableTest, AddsVariances) {
  Profile profile = ProfileOf("main;f 5\nmain;f 6\n");
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = 9;
  const FlatTable table = MakeFlatTable(profile, FlatOptions{});
  EXPECT_EQ(table.shown.now.variance, 18);
  EXPECT_EQ(table.rows[0].flat.now.variance, 18);
  EXPECT_EQ(table.rows[1].cumulative.now.variance, 18);
}

TEST(FlatTableTest, ReadsTheMetricAskedFor) {
  Profile profile = ProfileOf("main;f 5\nmain;g 6\n");
  profile.samples[1].values[Metric::kAllocObjects].value = 3;
  const FlatTable table =
      MakeFlatTable(profile, {.metric = Metric::kAllocObjects});
  EXPECT_THAT(Rows(table), ElementsAre("g 3 3", "main 0 3"));
  EXPECT_EQ(Difference(table.total), 3);
}

TEST(FlatTableTest, OfAnEmptyProfileIsEmpty) {
  const FlatTable table = MakeFlatTable(Profile(), FlatOptions{});
  EXPECT_THAT(table.rows, IsEmpty());
  EXPECT_EQ(Difference(table.total), 0);
}

// The flat column adds up to the total, and no cumulative value is below the
// flat one.
TEST(FlatTableTest, ObeysTheLawsOfEveryProfile) {
  const FlatTable table = MakeFlatTable(
      ProfileOf("main;a|b;c 1\nmain;a;a|b 2\nc;b;main 4\nmain 8\na|a|a 16\n"),
      FlatOptions{});
  double flat = 0;
  for (const FlatRow& row : table.rows) {
    flat += Difference(row.flat);
    EXPECT_GE(Difference(row.cumulative), Difference(row.flat)) << row.name;
    EXPECT_LE(Difference(row.cumulative), Difference(table.total)) << row.name;
  }
  EXPECT_EQ(flat, 31);
  EXPECT_EQ(Difference(table.total), 31);
  EXPECT_EQ(table.rows.back().running_percent, 100);
}

TEST(FlatTableTest, TakesPercentagesAfterFilters) {
  Profile profile = ProfileOf("main;f 30\nmain;g 10\n");
  profile.filtered_out.now[Metric::kInuseSpace].value = 60;
  const FlatTable table = MakeFlatTable(profile, {});
  EXPECT_EQ(Difference(table.total), 100);
  EXPECT_EQ(Difference(table.shown), 40);
  ASSERT_EQ(table.rows[0].name, "f");
  EXPECT_EQ(table.rows[0].flat_percent, 75);
  EXPECT_EQ(table.rows[1].running_percent, 100);
  ASSERT_EQ(table.rows[2].name, "main");
  EXPECT_EQ(table.rows[2].cumulative_percent, 100);
}

TEST(FlatTableTest, HasBothSidesOfAComparison) {
  Profile profile = ProfileOf("main;f 8\n");
  const FlatTable single = MakeFlatTable(profile, {});
  EXPECT_EQ(single.rows[0].flat.base.value, 0);
  EXPECT_EQ(single.rows[0].flat.now.value, 8);

  profile.samples[0].values[Metric::kInuseSpace].variance = 3;
  AddBase(0, {3, 4}, profile);
  const FlatTable table = MakeFlatTable(profile, {});
  ASSERT_EQ(table.rows[0].name, "f");
  const Change& flat = table.rows[0].flat;
  EXPECT_EQ(Difference(flat), 5);
  EXPECT_EQ(flat.now.value, 8);
  EXPECT_EQ(flat.now.variance, 3);
  EXPECT_EQ(flat.base.value, 3);
  EXPECT_EQ(flat.base.variance, 4);
  EXPECT_EQ(table.rows[1].flat.base.value, 0);
  EXPECT_EQ(table.rows[1].cumulative.base.value, 3);
}

TEST(FlatTableTest, ProvesEachChangeOfObjectsIfAllAreSampled) {
  Profile profile = ComparedObjects("f", 30'000, 90'000);
  profile.sampling_period = 1;
  EXPECT_TRUE(MakeFlatTable(profile, {.metric = Metric::kInuseObjects,
                                      .judges_changes = true})
                  .rows[0]
                  .is_flat_proven);
}

TEST(FlatTableTest, SaysWhichChangesAreProven) {
  // Objects are judged by their bytes, if these change in the same direction.
  for (const Metric metric : {Metric::kInuseSpace, Metric::kInuseObjects})
    for (const auto& [now, is_proven] :
         {std::pair{31'000.0, false}, {90'000.0, true}}) {
      const Profile profile = ComparedObjects("main;f", now, 30'000);
      const FlatTable table =
          MakeFlatTable(profile, {.metric = metric, .judges_changes = true});
      ASSERT_EQ(table.rows.size(), 2u);
      EXPECT_EQ(table.rows[0].is_flat_proven, is_proven) << now;
      EXPECT_EQ(table.rows[0].is_cumulative_proven, is_proven) << now;
      EXPECT_FALSE(table.rows[1].is_flat_proven);  // main has not changed
      EXPECT_EQ(table.rows[1].is_cumulative_proven, is_proven) << now;
    }
  EXPECT_FALSE(
      MakeFlatTable(ComparedObjects("f", 30'000, 90'000),
                    {.metric = Metric::kInuseObjects, .judges_changes = true})
          .rows[0]
          .is_flat_proven);
}

}  // namespace
}  // namespace heapprof
