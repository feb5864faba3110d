// SPDX-License-Identifier: Apache-2.0
#include "compare/nameless.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/compare/compare_sides.h"
#include "heapprof/transform/merge.h"
#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

constexpr Metric kInuse = Metric::kInuseSpace;

// Functions whose names contain "+0x" have no name.
Profile BuiltAs(std::string_view text, std::string_view build) {
  Profile profile = ProfileOf(text);
  for (size_t i = 1; i < profile.mappings.size(); ++i)
    profile.mappings[i].build_id = profile.strings.Intern(
        std::string(profile.String(profile.mappings[i].filename)) + "." +
        std::string(build));
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name).contains("+0x");
  return profile;
}

Profile JoinedBuilds(std::string_view now, std::string_view base,
                     std::string_view base_build) {
  std::vector<MergeInput> inputs;
  inputs.push_back({BuiltAs(now, "1"), Side::kNew});
  inputs.push_back({BuiltAs(base, base_build), Side::kBase});
  return Merge(std::move(inputs));
}

constexpr std::string_view kNow = "app!main;z!z+0x8 7\napp!main 1\n";
constexpr std::string_view kBase = "app!main;z!z+0x8 5\napp!main 1\n";

TEST(CompareNamelessTest, MatchesNothingInAnotherBuild) {
  Profile profile = JoinedBuilds(kNow, kBase, "2");
  const auto nameless = CompareSides(profile, {});
  EXPECT_EQ(nameless.now[kInuse].value, 7);
  EXPECT_EQ(nameless.base[kInuse].value, 5);
  EXPECT_EQ(CheckValid(profile), "");
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("main;z+0x8 (base) -5", "main;z+0x8 7"));
}

TEST(CompareNamelessTest, MatchesByAddressInOneBuild) {
  Profile profile = JoinedBuilds(kNow, kBase, "1");
  const auto nameless = CompareSides(profile, {});
  EXPECT_TRUE(nameless.now.AllZero() && nameless.base.AllZero());
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;z+0x8 2"));
}

TEST(CompareNamelessTest, KeepsNamesThatTheNewSideDoesNotHave) {
  Profile profile = JoinedBuilds("app!main 1\n", kBase, "2");
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), ElementsAre("main;z+0x8 -5"));
}

// Addresses of an unloaded library differ by process, unless it is the same.
TEST(CompareNamelessTest, GivesCodeOutsideTheMapOneName) {
  constexpr std::string_view kOne = "app!main;0x7f10 7\n";
  const auto stacks = [&](bool has_map, std::string_view base) {
    std::vector<MergeInput> inputs;
    for (const auto& [text, side] :
         {std::pair(kOne, Side::kNew), std::pair(base, Side::kBase)}) {
      Profile profile = ProfileOf(text);
      profile.has_memory_map = has_map;
      for (Function& function : profile.functions)
        function.unresolved = profile.String(function.name).starts_with("0x");
      inputs.push_back({std::move(profile), side});
    }
    Profile profile = Merge(std::move(inputs));
    CompareSides(profile, {});
    EXPECT_EQ(CheckValid(profile), "");
    return StacksOf(profile);
  };
  EXPECT_THAT(stacks(true, "app!main;0x7f20 5\n"),
              ElementsAre("main;[outside the memory map] 2"));
  EXPECT_THAT(stacks(true, "app!main;0x7f10 5\n"),
              ElementsAre("main;0x7f10 2"));
  EXPECT_THAT(stacks(false, "app!main;0x7f20 5\n"),
              ElementsAre("main;0x7f10 7", "main;0x7f20 -5"));
}

}  // namespace
}  // namespace heapprof
