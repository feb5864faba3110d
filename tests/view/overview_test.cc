// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/overview.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/transform/groups.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Functions whose names begin with "my::" are own code.
std::optional<StackCall> OwnCall(const Profile& profile, StackId stack) {
  const auto frames = profile.StackFrames(stack);
  for (size_t i = 0; i < frames.size(); ++i) {
    const RowRange lines = profile.locations[frames[i].index()].lines;
    for (uint32_t line = lines.first; line < lines.first + lines.count; ++line)
      if (profile
              .String(
                  profile.functions[profile.lines[line].function.index()].name)
              .starts_with("my::"))
        return StackCall{i, line};
  }
  return std::nullopt;
}

Overview OverviewOf(const Profile& profile) {
  OverviewOptions options;
  for (uint32_t i = 0; i < profile.stacks.size(); ++i)
    options.own_calls.push_back(OwnCall(profile, StackId{i}));
  return MakeOverview(profile, options);
}

// "name value percent% cumulative%" per row.
std::vector<std::string> Rows(const OverviewTable& table) {
  std::vector<std::string> rows;
  for (const OverviewRow& row : table.rows)
    rows.push_back(fmt::format("{} {} {:.0f}% {:.0f}%", row.name, row.value(),
                               row.percent, row.cumulative_percent));
  return rows;
}

TEST(OverviewTest, ShowsGroupsAndAlwaysTheOther) {
  Profile profile = ProfileOf("main;f 60\nmain;g 40\n");
  EXPECT_THAT(Rows(OverviewOf(profile).groups), IsEmpty());
  std::vector<Group> groups(1);
  groups[0].name = "everything";
  groups[0].functions.push_back(*Regex::Compile("groups", "^main$"));
  ASSERT_TRUE(AddGroupRoots(groups, profile));
  EXPECT_THAT(Rows(OverviewOf(profile).groups),
              ElementsAre("everything 100 100% 100%", "[other] 0 0% 0%"));
}

TEST(OverviewTest, ChargesAStackToItsOwnFrameNearestTheLeaf) {
  const Overview overview =
      OverviewOf(ProfileOf("main;my::run;lib::call;my::load;std::grow 60\n"
                           "main;my::run;std::grow 30\n"
                           "main;lib::start 10\n"));
  EXPECT_THAT(Rows(overview.own),
              ElementsAre("my::load 60 60% 60%", "my::run 30 30% 90%"));
  EXPECT_EQ(overview.own.unassigned.name, kOutsideOwnCode);
  EXPECT_EQ(overview.own.unassigned.value(), 10);
  EXPECT_EQ(overview.own.unassigned.percent, 10);
  EXPECT_THAT(Rows(overview.allocating),
              ElementsAre("std::grow 90 90% 90%", "lib::start 10 10% 10%"));
  EXPECT_THAT(overview.cumulative.rows, IsEmpty());
}

TEST(OverviewTest, CountsTheObjectsOfEachRow) {
  Profile profile = ProfileOf("main;my::load;std::grow 60\nlib::start 10\n");
  profile.has_object_counts = true;
  profile.samples[0].values[Metric::kInuseObjects].value = 4;
  profile.samples[1].values[Metric::kInuseObjects].value = 5;
  const Overview overview = OverviewOf(profile);
  EXPECT_EQ(MeanObjectSize(overview.own.rows[0]), 15);
  EXPECT_EQ(MeanObjectSize(overview.own.unassigned), 2);
  EXPECT_EQ(overview.allocating.rows[0].objects, 4);
  EXPECT_TRUE(KnowsObjectSizes(overview.own));
}

TEST(OverviewTest, DoesNotKnowTheSizesOfChanges) {
  Profile profile = ProfileOf("main;my::load 60\n");
  profile.has_object_counts = true;
  profile.samples[0].values[Metric::kInuseObjects].value = 4;
  AddBase(0, {.value = 10}, profile);
  EXPECT_FALSE(KnowsObjectSizes(OverviewOf(profile).own));
}

TEST(OverviewTest, FindsOwnCodeAmongInlinedCalls) {
  const Overview overview =
      OverviewOf(ProfileOf("main;my::outer|my::inner|std::grow 8\n"));
  EXPECT_THAT(Rows(overview.own),
              ElementsAre("my::inner (inline) 8 100% 100%"));
}

TEST(OverviewTest, ShowsCumulativeValuesIfThereIsNoOwnCode) {
  const Profile profile = ProfileOf("main;f;g 6\nmain;f 2\n");
  for (const Overview& overview :
       {OverviewOf(profile), MakeOverview(profile, {})}) {
    EXPECT_THAT(overview.own.rows, IsEmpty());
    EXPECT_THAT(
        Rows(overview.cumulative),
        ElementsAre("f 8 100% 100%", "main 8 100% 100%", "g 6 75% 75%"));
  }
}

TEST(OverviewTest, TakesSharesAfterFilters) {
  Profile profile = ProfileOf("my::f 30\n");
  profile.filtered_out.now[Metric::kInuseSpace].value = 90;
  const Overview overview = OverviewOf(profile);
  EXPECT_EQ(overview.total, 120);
  EXPECT_EQ(overview.shown, 30);
  EXPECT_THAT(Rows(overview.own), ElementsAre("my::f 30 100% 100%"));
}

TEST(OverviewTest, HasAnIntervalOnlyForSampledBytes) {
  Profile profile = ProfileOf("f 1000\n");
  profile.samples[0].values[Metric::kInuseSpace].variance = 10000;
  profile.samples[0].values[Metric::kInuseObjects].value = 7;
  profile.sampling_period = 512;
  const Overview sampled = OverviewOf(profile);
  ASSERT_TRUE(sampled.interval);
  EXPECT_LT(sampled.interval->lower, 1000);
  EXPECT_GT(sampled.interval->upper, 1000);
  EXPECT_FALSE(sampled.is_exact);
  EXPECT_EQ(sampled.objects, 7);

  profile.sampling_period = 1;
  const Overview exact = OverviewOf(profile);
  EXPECT_FALSE(exact.interval);
  EXPECT_TRUE(exact.is_exact);

  const Overview objects =
      MakeOverview(profile, {.metric = Metric::kInuseObjects});
  EXPECT_EQ(objects.total, 7);
  EXPECT_FALSE(objects.interval);
  EXPECT_FALSE(objects.objects);
}

TEST(OverviewTest, ShowsChangesWithinTheSamplingErrorLast) {
  Profile profile = ProfileOf("my::noise 50000\nmy::grew 9000\n");
  profile.sampling_period = 512;
  for (Sample& sample : profile.samples) {
    Estimate& estimate = sample.values[Metric::kInuseSpace];
    estimate.variance = 512 * estimate.value;
  }
  AddBase(0, {.value = 40000, .variance = 512 * 40000}, profile);
  AddBase(1, {.value = 1000, .variance = 512 * 1000}, profile);
  Overview overview = MakeOverview(profile, {});
  const std::vector<OverviewRow>& rows = overview.allocating.rows;
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "my::grew");
  EXPECT_EQ(rows[0].cell.change.base.value, 1000);
  EXPECT_GT(rows[0].cell.interval->lower, 0);
  EXPECT_LT(rows[0].cell.interval->upper, 16000);
  EXPECT_EQ(rows[1].name, "my::noise");
  EXPECT_LT(rows[1].cell.interval->lower, 0);
}

TEST(OverviewTest, AChangeNeedsMoreProofAmongMany) {
  const auto has_changed = [](int others) {
    std::string stacks = "my::grew 40000\n";
    for (int i = 0; i < others; ++i)
      stacks += fmt::format("my::other{} 30001\n", i);
    Profile profile = ProfileOf(stacks);
    profile.sampling_period = 1000;
    for (int i = 0; i <= others; ++i) {
      Estimate& now = profile.samples[i].values[Metric::kInuseSpace];
      now.variance = 1000 * now.value;
      const double base = i == 0 ? 20000 : 30000;
      AddBase(i, {.value = base, .variance = 1000 * base}, profile);
    }
    const Overview overview = MakeOverview(profile, {});
    const auto& rows = overview.allocating.rows;
    return std::ranges::find(rows, "my::grew", &OverviewRow::name)->has_changed;
  };
  EXPECT_TRUE(has_changed(0));
  EXPECT_FALSE(has_changed(100));
}

TEST(OverviewTest, ObjectCountsChangeIfTheirBytesDo) {
  const auto has_changed = [](double now, double base) {
    const Profile profile = ComparedObjects("my::f", now, base);
    const Overview overview =
        MakeOverview(profile, {.metric = Metric::kInuseObjects});
    return overview.allocating.rows.at(0).has_changed;
  };
  EXPECT_FALSE(has_changed(3000, 2000));
  EXPECT_TRUE(has_changed(300000, 200000));
}

TEST(OverviewTest, OfAnEmptyProfileIsEmpty) {
  const Overview overview = OverviewOf(Profile());
  EXPECT_EQ(overview.total, 0);
  EXPECT_THAT(overview.own.rows, IsEmpty());
  EXPECT_THAT(overview.allocating.rows, IsEmpty());
}

TEST(MakeOverviewTest, ComparesAFunctionInlinedOrNot) {
  Profile profile = ProfileOf("main;f 8\nmain|f 5\n");
  EXPECT_EQ(MakeOverview(profile, {}).allocating.rows.size(), 2u);
  AddBase(0, {1, 0}, profile);
  const Overview overview = MakeOverview(profile, {});
  ASSERT_EQ(overview.allocating.rows.size(), 1u);
  EXPECT_EQ(overview.allocating.rows[0].name, "f");
  EXPECT_EQ(overview.allocating.rows[0].value(), 12);
}

}  // namespace
}  // namespace heapprof
