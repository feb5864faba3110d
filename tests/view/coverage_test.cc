// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/coverage.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/transform/groups.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "module unresolved/locations value" of each module, then the total.
std::vector<std::string> Measured(const Profile& profile,
                                  Metric metric = Metric::kInuseSpace) {
  const Coverage coverage = MeasureCoverage(profile, metric);
  std::vector<std::string> lines;
  for (const ModuleCoverage& m : coverage.modules)
    lines.push_back(fmt::format(
        "{} {}/{} {}",
        profile.String(profile.mappings[m.mapping.index()].filename),
        m.unresolved, m.locations, m.unresolved_value));
  lines.push_back(fmt::format("{}", coverage.total_value));
  return lines;
}

TEST(MeasureCoverageTest, CountsDistinctLocationsByModule) {
  EXPECT_THAT(Measured(ProfileWithUnresolved("app!main;app!f;z!z+0x1 10\n"
                                             "app!main;app!f;z!z+0x2 20\n"
                                             "app!main;app!f;z!z+0x2 30\n"
                                             "app!main;z!deflate 5\n")),
              ElementsAre("z 2/3 60", "app 0/2 0", "65"));
}

TEST(MeasureCoverageTest, MeasuresOneSide) {
  Profile profile = ProfileWithUnresolved("app!main 10\napp!app+0x1 5\n");
  profile.samples[0].side = Side::kBase;
  const auto nameless = [&profile](std::optional<Side> side) {
    const Coverage coverage =
        MeasureCoverage(profile, Metric::kInuseSpace, side);
    return std::pair(coverage.nameless_value, coverage.total_value);
  };
  EXPECT_EQ(nameless(Side::kBase), std::pair(0.0, 10.0));
  EXPECT_EQ(nameless(Side::kNew), std::pair(5.0, 5.0));
  EXPECT_EQ(nameless({}), std::pair(5.0, 15.0));
}

// A profile of this size is measured in blocks (see sample_blocks.h).
TEST(MeasureCoverageTest, AddsUpTheBlocksOfALargeProfile) {
  Profile profile = ProfileWithUnresolved("app!main;z!z+0x1 10\napp!main 5\n");
  const Coverage one = MeasureCoverage(profile, Metric::kInuseSpace);
  const std::vector<Sample> both = profile.samples;
  constexpr size_t kCopies = 60'000;
  profile.samples.clear();
  for (size_t i = 0; i < kCopies; ++i)
    profile.samples.insert(profile.samples.end(), both.begin(), both.end());
  const Coverage all = MeasureCoverage(profile, Metric::kInuseSpace);
  EXPECT_EQ(all.total_value, kCopies * one.total_value);
  EXPECT_EQ(all.nameless_value, kCopies * one.nameless_value);
  EXPECT_EQ(all.lined_value, kCopies * one.lined_value);
  ASSERT_EQ(all.modules.size(), one.modules.size());
  for (size_t i = 0; i < one.modules.size(); ++i) {
    EXPECT_EQ(all.modules[i].locations, one.modules[i].locations);
    EXPECT_EQ(all.modules[i].stacks, kCopies * one.modules[i].stacks);
    EXPECT_EQ(all.modules[i].value, kCopies * one.modules[i].value);
    EXPECT_EQ(all.modules[i].unresolved_value,
              kCopies * one.modules[i].unresolved_value);
  }
}

TEST(MeasureCoverageTest, CountsTheValueOfStacksWithAnUnresolvedLeaf) {
  EXPECT_THAT(Measured(ProfileWithUnresolved(
                  "app!app+0x1;z!deflate 10\napp!app+0x1 2\n")),
              ElementsAre("z 0/1 0", "app 1/1 2", "12"));
}

// The value without names by module, then in total; then the value with lines.
std::vector<std::string> Nameless(const Profile& profile) {
  const Coverage coverage = MeasureCoverage(profile, Metric::kInuseSpace);
  std::vector<std::string> lines;
  for (const ModuleCoverage& m : coverage.modules)
    lines.push_back(fmt::format(
        "{} {}", profile.String(profile.mappings[m.mapping.index()].filename),
        m.nameless_value));
  lines.push_back(fmt::format("{}", coverage.nameless_value));
  lines.push_back(fmt::format("{}", coverage.lined_value));
  return lines;
}

TEST(MeasureCoverageTest, CountsAStackByItsLeafAndByMostOfItsFrames) {
  // The leaf has no name, although all callers have.
  EXPECT_THAT(
      Nameless(ProfileWithUnresolved("app!main;app!f;app!g;z!z+0x1 7\n")),
      ElementsAre("z 7", "app 0", "7", "0"));
  // A stripped program calls a library function.
  EXPECT_THAT(Nameless(ProfileWithUnresolved(
                  "libc!start;app!app+0x1;app!app+0x2;glib!malloc 7\n")),
              ElementsAre("glib 0", "app 7", "libc 0", "7", "0"));
  // One caller without a name does not matter.
  EXPECT_THAT(
      Nameless(ProfileWithUnresolved("app!app+0x1;app!main;app!f%f.cc:3 7\n")),
      ElementsAre("app 0", "0", "7"));
}

// A group is no caller.
TEST(MeasureCoverageTest, DoesNotCountGroups) {
  Profile profile = ProfileWithUnresolved(
      "app!main;app!app+0x1;z!f 7\n"
      "app!app+0x1;z!f 2\n");
  const std::vector<std::string> before = Nameless(profile);
  ASSERT_TRUE(AddGroupRoots({}, profile));
  EXPECT_EQ(Nameless(profile), before);
  EXPECT_THAT(before, Contains("2"));
}

TEST(MeasureCoverageTest, CountsAFunctionWithoutALineAsNamed) {
  const Profile profile =
      ProfileWithUnresolved("app!main%m.cc:1;z!deflate 7\n");
  EXPECT_THAT(Nameless(profile), ElementsAre("z 0", "app 0", "0", "0"));
  const Coverage coverage = MeasureCoverage(profile, Metric::kInuseSpace);
  EXPECT_EQ(coverage.modules[0].with_lines, 0u);
  EXPECT_EQ(coverage.modules[1].with_lines, 1u);
}

TEST(MeasureCoverageTest, CountsTheValueOfEveryModulesOwnStacks) {
  const Coverage coverage = MeasureCoverage(
      ProfileWithUnresolved("app!main;app!app+0x1 10\napp!main;z!f 5\n"
                            "app!main 2\n"),
      Metric::kInuseSpace);
  ASSERT_EQ(coverage.modules.size(), 2u);
  EXPECT_EQ(coverage.modules[0].value, 12);
  EXPECT_EQ(coverage.modules[1].value, 5);
  EXPECT_EQ(coverage.modules[0].stacks, 2u);
  EXPECT_EQ(coverage.modules[0].unresolved_stacks, 1u);
  EXPECT_EQ(coverage.modules[1].stacks, 1u);
  EXPECT_EQ(coverage.modules[1].unresolved_stacks, 0u);
}

TEST(MeasureCoverageTest, DropsTheSignsOfAComparison) {
  EXPECT_THAT(Measured(ProfileWithUnresolved("app!main 10\napp!app+0x1 -4\n")),
              ElementsAre("app 1/2 4", "14"));
}

TEST(MeasureCoverageTest, LeavesOutModulesWithoutAStack) {
  Profile profile = ProfileWithUnresolved("app!main 10\nz!deflate 1\n");
  profile.samples.pop_back();
  EXPECT_THAT(Measured(profile), ElementsAre("app 0/1 0", "10"));
}

TEST(MeasureCoverageTest, CountsCodeOutsideFilesOnlyIfItHasNoName) {
  EXPECT_THAT(Measured(ProfileWithUnresolved("app!main;[allocator only] 10\n")),
              ElementsAre("app 0/1 0", "10"));
  EXPECT_THAT(Measured(ProfileWithUnresolved("app!main;jit+0x1 10\n")),
              ElementsAre(" 1/1 10", "app 0/1 0", "10"));
}

TEST(MeasureCoverageTest, ReadsTheMetricAskedFor) {
  Profile profile = ProfileWithUnresolved("app!app+0x1 10\n");
  profile.samples[0].values[Metric::kAllocObjects].value = 3;
  EXPECT_THAT(Measured(profile, Metric::kAllocObjects),
              ElementsAre("app 1/1 3", "3"));
}

TEST(MeasureCoverageTest, OfAnEmptyProfileIsEmpty) {
  const Coverage coverage = MeasureCoverage(Profile(), Metric::kInuseSpace);
  EXPECT_THAT(coverage.modules, IsEmpty());
  EXPECT_EQ(coverage.total_value, 0);
}

}  // namespace
}  // namespace heapprof
