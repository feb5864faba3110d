// SPDX-License-Identifier: Apache-2.0
#include "compare/align_builds.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/compare/compare_sides.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/merge.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The two sides, with other builds of their files.
Profile OfTwoBuilds(std::string_view now, std::string_view base) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf(now), Side::kNew});
  inputs.push_back({ProfileOf(base), Side::kBase});
  for (MergeInput& input : inputs)
    for (size_t i = 1; i < input.profile.mappings.size(); ++i)
      input.profile.mappings[i].build_id =
          input.profile.strings.Intern(input.side == Side::kNew ? "a0" : "b1");
  return Merge(std::move(inputs));
}

// What changed after the builds have been aligned.
std::vector<std::string> Changed(std::string_view now, std::string_view base) {
  Profile profile = OfTwoBuilds(now, base);
  CompareSides(profile, {});
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

TEST(AlignBuildsTest, FindsTheFunctionWhoseArgumentsOneBuildOmits) {
  EXPECT_THAT(Changed("app!main;app!ns::f 9\n", "app!main;app!ns::f(int) 9\n"),
              IsEmpty());
  EXPECT_THAT(Changed("app!main;app!ns::f(int) 9\n", "app!main;app!ns::f 9\n"),
              IsEmpty());
  EXPECT_THAT(Changed("app!ns::f 9\n", "app!ns::f(int) 4\n"),
              ElementsAre("ns::f(int) 5"));
  // One build inlined it in some places.
  EXPECT_THAT(
      Changed("app!ns::f 9\napp!g;app!ns::f(int) 2\n", "app!ns::f(int) 9\n"),
      ElementsAre("g;ns::f(int) 2"));
}

TEST(AlignBuildsTest, FindsAFunctionWithOtherArguments) {
  EXPECT_THAT(Changed("app!f(int) 9\n", "app!f(char) 4\n"), ElementsAre("f 5"));
  EXPECT_THAT(Changed("app!f(int)::{lambda(int)#1}::operator()(int) const 9\n",
                      "app!f(int)::$_0::operator()(int) const 9\n"),
              IsEmpty());
}

TEST(AlignBuildsTest, KeepsOverloadsThatBothBuildsHave) {
  EXPECT_THAT(
      Changed("app!f(int) 9\napp!f(char) 5\n", "app!f(int) 4\napp!f(char) 5\n"),
      ElementsAre("f(int) 5"));
  // A new overload is new.
  EXPECT_THAT(Changed("app!f(int) 9\napp!f(char) 5\n", "app!f(int) 9\n"),
              ElementsAre("f(char) 5"));
  // Only f(long) may be what f(char) was.
  EXPECT_THAT(
      Changed("app!f(int) 9\napp!f(long) 5\n", "app!f(int) 4\napp!f(char) 5\n"),
      ElementsAre("f(int) 5"));
}

TEST(AlignBuildsTest, KeepsNamesOfOneSide) {
  EXPECT_THAT(Changed("app!f(int) 9\napp!f 5\n", "app!g 1\n"),
              ElementsAre("f 5", "f(int) 9", "g -1"));
}

TEST(AlignBuildsTest, KeepsNamesOfModulesThatBothSidesShare) {
  std::vector<MergeInput> inputs;
  inputs.push_back({ProfileOf("app!f(int) 9\n"), Side::kNew});
  inputs.push_back({ProfileOf("app!f(char) 4\n"), Side::kBase});
  Profile profile = Merge(std::move(inputs));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile), ElementsAre("f(char) -4", "f(int) 9"));
}

TEST(AlignBuildsTest, KeepsPlaceholdersOfUnnamedCode) {
  Profile profile = OfTwoBuilds("app![unknown](1) 9\n", "app!other 9\n");
  for (Function& function : profile.functions) function.unresolved = true;
  AlignBuilds(profile);
  EXPECT_THAT(StacksOf(profile), ElementsAre("[unknown](1) 9", "other 9"));
}

// The paths of the functions, in their order.
std::vector<std::string> Files(std::string_view now, std::string_view base) {
  Profile profile = OfTwoBuilds(now, base);
  AlignBuilds(profile);
  std::vector<std::string> files;
  for (size_t i = 1; i < profile.functions.size(); ++i)
    files.emplace_back(profile.String(profile.functions[i].filename));
  return files;
}

TEST(AlignBuildsTest, MatchesFilesByNameOnlyIfTheMatchIsTheOnlyOne) {
  EXPECT_THAT(Files("app!f%/new/one.cc:1 1\napp!h%/new/two.cc:1 1\n",
                    "app!g%/old/one.cc:1 1\napp!i%/old/x/two.cc:1 1\n"
                    "app!j%/old/y/two.cc:1 1\n"),
              ElementsAre("/new/one.cc", "/new/two.cc", "/new/one.cc",
                          "/old/x/two.cc", "/old/y/two.cc"));
  // Each path of both sides is itself.
  EXPECT_THAT(Files("app!f%/same/a.h:1 1\n",
                    "app!f%/same/a.h:1 1\napp!g%/old/a.h:1 1\n"),
              ElementsAre("/same/a.h", "/old/a.h"));
}

}  // namespace
}  // namespace heapprof
