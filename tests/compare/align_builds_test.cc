// SPDX-License-Identifier: Apache-2.0
#include "compare/align_builds.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/compare/compare_sides.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/merge.h"
#include "support/check_valid.h"
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

// A library that only one side uses does not make the program another build.
TEST(AlignBuildsTest, KeepsNamesIfOneSideUsesMoreModules) {
  std::vector<MergeInput> inputs;
  inputs.push_back(
      {ProfileOf("app!a::V<T>::f%a.rs:1:7 9\napp!<a::V<u8>>::f%a.rs:1:7 5\n"),
       Side::kNew});
  inputs.push_back(
      {ProfileOf("app!a::V<T>::f%a.rs:1:7 4\nlib.so!g 1\n"), Side::kBase});
  for (MergeInput& input : inputs) {
    Profile& profile = input.profile;
    for (Function& function : profile.functions)
      function.system_name =
          profile.strings.Intern(profile.String(function.name).starts_with("<")
                                     ? "_RNvNtCs_1a1f"
                                     : "_ZN1a1f17h0123456789abcdefE");
  }
  Profile profile = Merge(std::move(inputs));
  CompareSides(profile, {});
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("<a::V<u8>>::f 5", "a::V<T>::f 5", "g -1"));
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

TEST(AlignBuildsTest, MatchesFilesOfAMovedFolder) {
  EXPECT_THAT(Files("app!f%/new/src/x/a.cc:1 1\napp!g%/new/src/y/a.cc:1 1\n",
                    "app!h%/old/src/y/a.cc:1 1\napp!i%/old/src/x/a.cc:1 1\n"),
              ElementsAre("/new/src/x/a.cc", "/new/src/y/a.cc",
                          "/new/src/y/a.cc", "/new/src/x/a.cc"));
  // Only their fifth folder from the end tells them apart.
  EXPECT_THAT(Files("app!f%/new/x/1/2/3/4/a.cc:1 1\n"
                    "app!g%/new/y/1/2/3/4/a.cc:1 1\n",
                    "app!h%/old/y/1/2/3/4/a.cc:1 1\n"),
              ElementsAre("/new/x/1/2/3/4/a.cc", "/new/y/1/2/3/4/a.cc",
                          "/new/y/1/2/3/4/a.cc"));
}

// An input of its own build, in the form that ProfileOf() reads.
struct BuildInput {
  Side side;
  std::string_view text;
};

Profile AlignedBuilds(const std::vector<BuildInput>& builds,
                      std::string_view mangled = "") {
  std::vector<MergeInput> inputs;
  for (const BuildInput& build : builds) {
    inputs.push_back({ProfileOf(build.text), build.side});
    Profile& profile = inputs.back().profile;
    for (size_t i = 1; i < profile.mappings.size(); ++i)
      profile.mappings[i].build_id =
          profile.strings.Intern(fmt::format("b{}.{}", inputs.size(), i));
    for (Function& function : profile.functions) {
      function.system_name = profile.strings.Intern(mangled);
      if (profile.String(function.name).contains("<u"))
        function.system_name = profile.strings.Intern("_RNv");
    }
  }
  Profile profile = Merge(std::move(inputs));
  AlignBuilds(profile);
  EXPECT_EQ(CheckValid(profile), "");
  return profile;
}

// The stacks of a new and a base build after they have been aligned.
std::vector<std::string> Stacks(std::string_view now, std::string_view base,
                                std::string_view mangled = "") {
  const auto stacks = StacksOf(
      AlignedBuilds({{Side::kNew, now}, {Side::kBase, base}}, mangled));
  // The same is matched if sides or inputs are swapped.
  EXPECT_EQ(StacksOf(AlignedBuilds({{Side::kBase, now}, {Side::kNew, base}},
                                   mangled)),
            stacks);
  EXPECT_EQ(StacksOf(AlignedBuilds({{Side::kBase, base}, {Side::kNew, now}},
                                   mangled)),
            stacks);
  return stacks;
}

TEST(AlignBuildsTest, AlignsAllBuildsOfASide) {
  EXPECT_THAT(
      StacksOf(AlignedBuilds(
          {{Side::kNew, "app!f(int)::{lambda(int)#1}::operator()(int) const 1"},
           {Side::kNew, "app!f(int)::$_0::operator()(int) const 2"},
           {Side::kNew, "app!f::{lambda}::operator() 3"},
           {Side::kBase, "app!main 4"}})),
      ElementsAre("f::{lambda}::operator() 1", "f::{lambda}::operator() 2",
                  "f::{lambda}::operator() 3", "main 4"));
}

// Only one build numbers them.
TEST(AlignBuildsTest, MatchesLambdasWithoutArguments) {
  EXPECT_THAT(
      Stacks("app!f::$_0::operator() 1\napp!f::$_1::operator() 2\n",
             "app!f::{lambda}::operator() 3\n"),
      ElementsAre("f::{lambda}::operator() 1", "f::{lambda}::operator() 2",
                  "f::{lambda}::operator() 3"));
}

TEST(AlignBuildsTest, TellsOverloadsApartByTheirPlace) {
  constexpr std::string_view kNamed =
      "app!f(int)%a.cc:1:10 1\napp!f(char)%a.cc:1:20 2\n";
  // At the same lines, and at other lines in the same order.
  for (const std::string_view inlined :
       {"app!f%/b/a.cc:1:10 3\napp!f%/b/a.cc:1:20 4\n",
        "app!f%/b/a.cc:1:20 3\napp!f%/b/a.cc:1:30 4\n"})
    EXPECT_THAT(Stacks(kNamed, inlined),
                ElementsAre("f(char) 2", "f(char) 4", "f(int) 1", "f(int) 3"));
  // One build uses only one of them.
  EXPECT_THAT(Stacks(kNamed, "app!f%a.cc:1:20 3\n"),
              ElementsAre("f(char) 2", "f(char) 3", "f(int) 1"));
  // A build inlined some calls of one of them.
  EXPECT_THAT(Stacks(kNamed,
                     "app!f(int)%a.cc:1:11 3\napp!f(char)%a.cc:1:21 4\n"
                     "app!f%a.cc:1:21 5\n"),
              ElementsAre("f(char) 2", "f(char) 4", "f(char) 5", "f(int) 1",
                          "f(int) 3"));
}

TEST(AlignBuildsTest, MatchesOverloadsByTheirOrderInOneFile) {
  // Both pairs agree in "f", so each keeps the first of its names.
  EXPECT_THAT(Stacks("app!f(int)%a.cc:1:10 1\napp!f(char)%a.cc:1:20 2\n",
                     "app!f(long)%a.cc:1:12 3\napp!f(short)%a.cc:1:22 4\n"),
              ElementsAre("f(char) 2", "f(char) 4", "f(int) 1", "f(int) 3"));
  // Files have no order.
  EXPECT_THAT(Stacks("app!f(int)%a.cc:1:10 1\napp!f(char)%b.cc:1:20 2\n",
                     "app!f(long)%a.cc:1:12 3\napp!f(short)%b.cc:1:22 4\n"),
              ElementsAre("f(char) 2", "f(int) 1", "f(long) 3", "f(short) 4"));
}

// A macro defines both at one place.
TEST(AlignBuildsTest, DoesNotGuessWhichOverloadWasInlined) {
  constexpr std::string_view kNamed =
      "app!f(int)%a.cc:1:10 1\napp!f(char)%a.cc:1:10 2\n";
  EXPECT_THAT(
      Stacks(kNamed, std::string(kNamed) + "app!f%a.cc:1:10 4\n"),
      ElementsAre("f 4", "f(char) 2", "f(char) 2", "f(int) 1", "f(int) 1"));
}

TEST(AlignBuildsTest, KeepsANameThatAllBuildsHaveAsItIs) {
  EXPECT_THAT(Stacks("app!f[abi:cxx11](int) 1\n", "app!f[abi:cxx11](int) 2\n"),
              ElementsAre("f[abi:cxx11](int) 1", "f[abi:cxx11](int) 2"));
}

TEST(AlignBuildsTest, KeepsOverloadsOfABuildApart) {
  EXPECT_THAT(Stacks("app!f(int) 1\napp!f(char) 2\n",
                     "app!f(long) 3\napp!f(short) 4\n"),
              ElementsAre("f(char) 2", "f(int) 1", "f(long) 3", "f(short) 4"));
  EXPECT_THAT(Stacks("app!f(int) 1\napp!f(char) 2\n", "app!f 3\n"),
              ElementsAre("f 3", "f(char) 2", "f(int) 1"));
  EXPECT_THAT(Stacks("app!f<int> 1\napp!f<char> 2\n",
                     "app!f<long> 3\napp!f<short> 4\n"),
              ElementsAre("f<char> 2", "f<int> 1", "f<long> 3", "f<short> 4"));
}

TEST(AlignBuildsTest, FindsAnInstanceWithOtherArguments) {
  EXPECT_THAT(
      Stacks("app!ns::f<int> 1\napp!ns::f<char> 2\n",
             "app!ns::f<int> 3\napp!ns::f<long> 4\n"),
      ElementsAre("ns::f 2", "ns::f 4", "ns::f<int> 1", "ns::f<int> 3"));
}

TEST(AlignBuildsTest, MatchesInstancesOfRustWithTheOldMangling) {
  constexpr std::string_view kInstances =
      "app!<a::V<u8>>::f%a.rs:1:7 1\napp!<a::V<u64>>::f%a.rs:1:7 2\n";
  constexpr std::string_view kMangled = "_ZN1a1f17h0123456789abcdefE";
  EXPECT_THAT(Stacks("app!a::V<T>::f%a.rs:1:7 3\n", kInstances, kMangled),
              ElementsAre("a::V::f 1", "a::V::f 2", "a::V::f 3"));
  // Another function of this name is at another place.
  EXPECT_THAT(
      Stacks("app!a::V<T>::f%a.rs:1:7 3\napp!a::V<S>::f%a.rs:1:9 4\n",
             kInstances, kMangled),
      ElementsAre("a::V::f 1", "a::V::f 2", "a::V::f 3", "a::V<S>::f 4"));
}

TEST(AlignBuildsTest, FindsAFunctionAtTheSamePlace) {
  EXPECT_THAT(Stacks("app!a::Rows::grow(int)%a.cc:1:9 1\n",
                     "app!a::{unnamed}::grow%a.cc:1:9 2\n"),
              ElementsAre("a::Rows::grow 1", "a::Rows::grow 2"));
  EXPECT_THAT(Stacks("app!a::Rows::grow(int)%a.cc:1:9 1\n",
                     "app!a::{unnamed}::grow%a.cc:1:8 2\n"),
              ElementsAre("a::Rows::grow(int) 1", "a::{unnamed}::grow 2"));
}

TEST(AlignBuildsTest, FindsALambdaAtTheSamePlaceOfTheSameFunction) {
  constexpr std::string_view kOld =
      "app!v1::f::{lambda}::operator()%a.cc:1:9 1";
  EXPECT_THAT(Stacks("app!v2::f::{lambda}::operator()%a.cc:1:9 2", kOld),
              ElementsAre("v1::f::{lambda}::operator() 1",
                          "v1::f::{lambda}::operator() 2"));
  EXPECT_THAT(Stacks("app!v1::g::{lambda}::operator()%a.cc:1:9 2", kOld),
              ElementsAre("v1::f::{lambda}::operator() 1",
                          "v1::g::{lambda}::operator() 2"));
}

TEST(AlignBuildsTest, DoesNotGoByThePlaceOfAFunctionThatMoved) {
  EXPECT_THAT(StacksOf(AlignedBuilds(
                  {{Side::kNew, "app!a::Rows::grow(int)%a.cc:1:8 1\n"},
                   {Side::kNew, "app!a::Rows::grow(int)%a.cc:1:9 2\n"},
                   {Side::kBase, "app!a::{unnamed}::grow%a.cc:1:8 4\n"}})),
              ElementsAre("a::Rows::grow(int) 1", "a::Rows::grow(int) 2",
                          "a::{unnamed}::grow 4"));
}

// The paths of the modules, in their order, and the program.
std::vector<std::string> Modules(std::string_view now, std::string_view base) {
  const Profile profile =
      AlignedBuilds({{Side::kNew, now}, {Side::kBase, base}});
  std::vector<std::string> modules;
  for (size_t i = 1; i < profile.mappings.size(); ++i)
    modules.emplace_back(profile.String(profile.mappings[i].filename));
  modules.emplace_back(profile.String(profile.main_binary));
  return modules;
}

TEST(AlignBuildsTest, KeepsThePathThatAModuleHadInItsProcess) {
  const Profile profile =
      AlignedBuilds({{Side::kNew, "/new/app!f;/libc.so!g 1\n"},
                     {Side::kBase, "/old/app!f;/libc.so!g 1\n"}});
  std::vector<std::string_view> paths;
  for (size_t i = 1; i < profile.mappings.size(); ++i)
    paths.push_back(profile.String(RecordedFilename(profile.mappings[i])));
  EXPECT_THAT(paths,
              ElementsAre("/libc.so", "/new/app", "/libc.so", "/old/app"));
}

TEST(AlignBuildsTest, MatchesModulesOfOtherFoldersAndVersions) {
  EXPECT_THAT(Modules("/new/app!f;/new/liba.so.1!g;/new/libb.so.2.1!h 1\n",
                      "/old/app!f;/old/liba.so.1!g;/old/libb.so.2!h 1\n"),
              ElementsAre("/new/libb.so.2.1", "/new/liba.so.1", "/new/app",
                          "/new/libb.so.2.1", "/new/liba.so.1", "/new/app",
                          "/new/libb.so.2.1"));
  // Either could be the one.
  EXPECT_THAT(
      Modules("/new/liba.so!f 1\n", "/x/liba.so!f;/y/liba.so!f 1\n"),
      ElementsAre("/new/liba.so", "/y/liba.so", "/x/liba.so", "/new/liba.so"));
}

}  // namespace
}  // namespace heapprof
