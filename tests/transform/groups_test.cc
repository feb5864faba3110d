// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/groups.h"

#include <initializer_list>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/transform/prepare_profile.h"
#include "support/check_valid.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Regex GroupRegex(std::string_view pattern) {
  return *Regex::Compile("groups", pattern);
}

Group FunctionGroup(std::string name, std::string_view pattern,
                    bool from_root = false) {
  Group group = {.name = std::move(name), .from_root = from_root};
  group.functions.push_back(GroupRegex(pattern));
  return group;
}

template <typename... Groups>
std::vector<Group> ListOf(Groups... groups) {
  std::vector<Group> list;
  (list.push_back(std::move(groups)), ...);
  return list;
}

std::vector<std::string> Grouped(std::string_view stacks,
                                 const std::vector<Group>& groups) {
  Profile profile = ProfileOf(stacks);
  const auto added = AddGroupRoots(groups, profile);
  EXPECT_TRUE(added);
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

TEST(AddGroupRootsTest, TakesTheMatchNearestTheLeaf) {
  const auto groups =
      ListOf(FunctionGroup("A", "^a::"), FunctionGroup("B", "^b::"));
  EXPECT_THAT(
      Grouped("main;a::f;b::g 1\nmain;b::g;a::f 2\nmain;a::f;x 4\nmain;x 8\n",
              groups),
      ElementsAre("[A];main;a::f;x 4", "[A];main;b::g;a::f 2",
                  "[B];main;a::f;b::g 1", "[other];main;x 8"));
}

TEST(AddGroupRootsTest, ReturnsTheGroupsWithoutStacks) {
  auto groups =
      ListOf(FunctionGroup("A", "^a::"), FunctionGroup("B", "^typo::"),
             FunctionGroup("A", "^also_typo::"),
             FunctionGroup("hidden by A", "^a::f$"),
             FunctionGroup("built in", "^rocksdb::"));
  groups.back().is_built_in = true;
  Profile profile = ProfileOf("main;a::f 1\n");
  EXPECT_THAT(*AddGroupRoots(groups, profile), ElementsAre("B", "hidden by A"));
}

TEST(AddGroupRootsTest, PassesOwnAllocatorsIfAnotherCallMatches) {
  const auto groups =
      ListOf(FunctionGroup("A", "^a::"), FunctionGroup("B", "^b::"));
  Profile profile = ProfileOf(
      "main;a::f;b::Allocate 1\nmain;x;b::Allocate 2\n"
      "main;a::f;b::Allocate;b::Grow 4\nmain;a::Allocate;b::Allocate 8\n");
  profile.own_allocators.resize(profile.functions.size());
  for (size_t i = 0; i < profile.functions.size(); ++i)
    profile.own_allocators[i] =
        profile.String(profile.functions[i].name).ends_with("::Allocate");
  ASSERT_TRUE(AddGroupRoots(groups, profile));
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("[A];main;a::f;b::Allocate 1",
                          "[B];main;a::Allocate;b::Allocate 8",
                          "[B];main;a::f;b::Allocate;b::Grow 4",
                          "[B];main;x;b::Allocate 2"));
}

TEST(AddGroupRootsTest, TakesTheFirstGroupThatACallMatches) {
  EXPECT_THAT(Grouped("f 1\n", ListOf(FunctionGroup("A", "f"),
                                      FunctionGroup("B", "^f$"))),
              ElementsAre("[A];f 1"));
  EXPECT_THAT(Grouped("f 1\n", ListOf(FunctionGroup("B", "^f$"),
                                      FunctionGroup("A", "f"))),
              ElementsAre("[B];f 1"));
}

// Groups from the root come first, whatever the order of the file.
TEST(AddGroupRootsTest, PrefersTheMatchNearestTheRootOfGroupsFromTheRoot) {
  const auto groups = ListOf(FunctionGroup("Leaf", "^leaf"),
                             FunctionGroup("Inner", "^inner", true),
                             FunctionGroup("Outer", "^outer", true));
  EXPECT_THAT(
      Grouped("outer;inner;leaf 1\ninner;outer;leaf 2\nmain;leaf 4\n", groups),
      ElementsAre("[Inner];inner;outer;leaf 2", "[Leaf];main;leaf 4",
                  "[Outer];outer;inner;leaf 1"));
}

TEST(AddGroupRootsTest, SeesInlinedCallsInTheirOrder) {
  const auto leaf = ListOf(FunctionGroup("A", "^a"), FunctionGroup("B", "^b"));
  EXPECT_THAT(Grouped("main;a|b 1\nmain;b|a 2\n", leaf),
              ElementsAre("[A];main;b|a 2", "[B];main;a|b 1"));
  const auto root =
      ListOf(FunctionGroup("A", "^a", true), FunctionGroup("B", "^b", true));
  EXPECT_THAT(Grouped("main;a|b 1\nmain;b|a 2\n", root),
              ElementsAre("[A];main;a|b 1", "[B];main;b|a 2"));
}

TEST(AddGroupRootsTest, MatchesShortNamesAndFullNames) {
  const auto groups = ListOf(FunctionGroup("Short", "^ns::f$"),
                             FunctionGroup("Full", R"(\(long\)$)"));
  EXPECT_THAT(
      Grouped("void ns::f<int>(char) 1\nvoid ns::g<int>(long) 2\n", groups),
      ElementsAre("[Full];void ns::g<int>(long) 2",
                  "[Short];void ns::f<int>(char) 1"));
}

TEST(AddGroupRootsTest, MatchesFilesAndModules) {
  Group file = {.name = "File"};
  file.files.push_back(GroupRegex("^src/"));
  Group module = {.name = "Module"};
  module.modules.push_back(GroupRegex("libz"));
  EXPECT_THAT(Grouped("app!f%src/f.cc:1 1\nlibz.so!g 2\napp!h 4\n",
                      ListOf(std::move(file), std::move(module))),
              ElementsAre("[File];f 1", "[Module];g 2", "[other];h 4"));
}

TEST(AddGroupRootsTest, FindsOwnCode) {
  const auto groups = [] {
    auto list = ListOf(FunctionGroup("lib", "^lib::"), Group{.name = "ours"});
    list.back().takes_own = true;
    return list;
  };
  EXPECT_THAT(Grouped("/srv/app!main;/srv/app!lib::f 1\n"
                      "/srv/app!main;/usr/lib/libc.so.6!fopen 2\n"
                      "/usr/lib/libc.so.6!init 4\n",
                      groups()),
              ElementsAre("[lib];main;lib::f 1", "[other];init 4",
                          "[ours];main;fopen 2"));
}

TEST(AddGroupRootsTest, MarksTheFramesOfGroups) {
  Profile profile = ProfileOf("f 1\ng 2\n");
  ASSERT_TRUE(AddGroupRoots(ListOf(FunctionGroup("A", "f")), profile));
  for (const Sample& sample : profile.samples) {
    const auto stack = profile.StackFrames(sample.stack);
    EXPECT_FALSE(profile.locations[stack.front().index()].is_group);
    EXPECT_TRUE(profile.locations[stack.back().index()].is_group);
  }
}

TEST(AddGroupRootsTest, FailsIfAMatchTakesTooLong) {
  Profile profile = ProfileOf(std::string(60, 'a') + "b 1\n");
  const auto added =
      AddGroupRoots(ListOf(FunctionGroup("A", "^(a+)+$")), profile);
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(added.error().message, HasSubstr("(a+)+$"));
}

std::vector<std::string> FilteredGroups(FilterOptions filters) {
  Profile profile = ProfileOf("main;a::f;std::g 1\nmain;a::h 2\nmain;b::f 4\n");
  const auto groups =
      ListOf(FunctionGroup("A", "^a::"), FunctionGroup("B", "^b::"));
  const auto prepared = PrepareProfile(
      profile, *StackFilters::Compile(std::move(filters)), {.groups = &groups});
  EXPECT_TRUE(prepared.effects);
  return StacksOf(profile);
}

// Groups are found before filters cut frames, and no filter cuts them.
TEST(AddGroupRootsTest, SurvivesFilters) {
  EXPECT_THAT(FilteredGroups({.retain = "^std::"}),
              ElementsAre("[A];std::g 1"));
  EXPECT_THAT(FilteredGroups({.exclude = "^(a::f|main)"}),
              ElementsAre("[A];a::h 2", "[A];std::g 1", "[B];b::f 4"));
  EXPECT_THAT(
      FilteredGroups({.hide = {R"(^\[A|^a::)"}}),
      ElementsAre("[A];main 2", "[A];main;std::g 1", "[B];main;b::f 4"));
  EXPECT_THAT(FilteredGroups({.show_from = "::[fh]$"}),
              ElementsAre("[A];a::f;std::g 1", "[A];a::h 2", "[B];b::f 4"));
  EXPECT_THAT(
      FilteredGroups({.prune_from = R"(^a::f|^\[B)"}),
      ElementsAre("[A];main;a::f 1", "[A];main;a::h 2", "[B];main;b::f 4"));
}

TEST(AddGroupRootsTest, IsSeenByFocusAndIgnore) {
  EXPECT_THAT(FilteredGroups({.focus = R"(^\[B\]$)"}),
              ElementsAre("[B];main;b::f 4"));
  EXPECT_THAT(FilteredGroups({.ignore = R"(^\[A\]$)"}),
              ElementsAre("[B];main;b::f 4"));
}

}  // namespace
}  // namespace heapprof
