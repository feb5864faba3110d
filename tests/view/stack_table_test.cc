// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stack_table.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::string TextOf(const StackTable& table, const StackRow& row) {
  std::vector<std::string> names;
  for (const uint32_t frame : table.FramesOf(row))
    names.push_back(table.labels[frame]);
  return fmt::format("{}", fmt::join(names, ";"));
}

// "stack now before" per row.
std::vector<std::string> StackRows(const Profile& profile,
                                   Metric metric = Metric::kInuseSpace) {
  std::vector<std::string> rows;
  const StackTable table = MakeStackTable(profile, metric);
  for (const StackRow& row : table.rows)
    rows.push_back(fmt::format("{} {} {}", TextOf(table, row), row.values.now,
                               row.values.base));
  return rows;
}

std::vector<std::string> StackRows(std::string_view stacks) {
  return StackRows(ProfileOf(stacks));
}

// A profile of one function, whose name may contain ProfileOf's separators.
Profile ProfileOfFunction(std::string_view name) {
  Profile profile = ProfileOf("f 7\n");
  profile.functions[1].name = profile.strings.Intern(name);
  return profile;
}

TEST(StackTableTest, WritesFullNamesRootFirstInlinedCallsAsFrames) {
  EXPECT_THAT(
      StackRows(
          "app!main@1040;app!ns::f<int>(int)@1149|g()|h();libc.so.6!q 7\n"),
      ElementsAre("main;ns::f<int>(int);g();h();q 7 0"));
}

TEST(StackTableTest, HasNoEmptyLabel) {
  EXPECT_THAT(StackRows(ProfileOfFunction("")), ElementsAre("?? 7 0"));
}

TEST(StackTableTest, TellsFramesApartAsAskedFor) {
  const Profile profile = ProfileOf(
      "app!main%a.cc:1;app!f(int)%b.cc:2|g%b.cc:3 5\n"
      "app!main%a.cc:1;app!f(int)%b.cc:4 7\n");
  const auto rows = [&](Granularity granularity) {
    std::vector<std::string> texts;
    const StackTable table =
        MakeStackTable(profile, Metric::kInuseSpace, granularity);
    for (const StackRow& row : table.rows)
      texts.push_back(fmt::format("{} {}", TextOf(table, row), row.values.now));
    return texts;
  };
  EXPECT_THAT(rows(Granularity::kLines),
              ElementsAre("main a.cc:1;f(int) b.cc:2;g b.cc:3 5",
                          "main a.cc:1;f(int) b.cc:4 7"));
  EXPECT_THAT(rows(Granularity::kFiles), ElementsAre("a.cc;b.cc 12"));
  EXPECT_THAT(rows(Granularity::kModules), ElementsAre("app 12"));
}

TEST(StackTableTest, AddsEqualStacksAndSortsByName) {
  // Two locations of f, in two files.
  EXPECT_THAT(StackRows("main;b!f 3\nmain;Z 1\nmain;a!f 4\nmain 2\n"),
              ElementsAre("main 2 0", "main;Z 1 0", "main;f 7 0"));
}

TEST(StackTableTest, SortsLikeTheTextsOfTheRows) {
  // "!" and ":" are less than ";", and "a" is greater. Where a name ends, the
  // text continues with ";" or is at its end.
  const std::vector<std::string> names = {"f", "f!", "f:", "fa", "g", ""};
  std::vector<std::string> stacks;
  Profile profile;
  {
    std::string samples;
    for (const char* root : {"1", "2", "3", "4", "5", "6"})
      for (const char* leaf : {"", ";1", ";2", ";3", ";4", ";5", ";6"})
        samples += std::string(root) + leaf + " 1\n";
    profile = ProfileOf(samples);
  }
  for (Function& function : profile.functions) {
    const std::string_view number = profile.String(function.name);
    if (number.empty()) continue;
    function.name =
        profile.strings.Intern(names[static_cast<size_t>(number[0] - '1')]);
  }
  const StackTable table = MakeStackTable(profile, Metric::kInuseSpace);
  for (const StackRow& row : table.rows) stacks.push_back(TextOf(table, row));
  EXPECT_EQ(stacks.size(), 6 * 7);
  EXPECT_TRUE(std::ranges::is_sorted(stacks));
}

TEST(StackTableTest, KeepsRecursion) {
  EXPECT_THAT(StackRows("main;f;f;f 3\n"), ElementsAre("main;f;f;f 3 0"));
}

TEST(StackTableTest, LeavesOutStacksWithoutValue) {
  EXPECT_THAT(StackRows("main;f 0\nmain;g -2\n"), ElementsAre("main;g -2 0"));
}

TEST(StackTableTest, ReplacesCharactersThatWouldSplitARow) {
  EXPECT_THAT(StackRows(ProfileOfFunction("a;b")), ElementsAre("a:b 7 0"));
  EXPECT_THAT(StackRows(ProfileOfFunction("a\nb\r\nc")),
              ElementsAre("a?b??c 7 0"));
}

TEST(StackTableTest, ReplacesCharactersThatATerminalMightObey) {
  EXPECT_THAT(
      StackRows(ProfileOfFunction(std::string_view("a\0b\x1b[2J\x7f", 8))),
      ElementsAre("a?b?[2J? 7 0"));
}

TEST(StackTableTest, KeepsTheSidesApart) {
  Profile profile = ProfileOf("main;f 7\nmain;g 2\nmain;h 5\n");
  AddBase(0, {4, 0}, profile);
  AddBase(2, {5, 0}, profile);
  EXPECT_THAT(StackRows(profile),
              ElementsAre("main;f 7 4", "main;g 2 0", "main;h 5 5"));
}

TEST(StackTableTest, NormalisesNamesOfTwoBuildsOnly) {
  Profile profile = ProfileOf(
      "main;f(int)::{lambda()#2} [clone .isra.0] 7\n"
      "main;f(int)::{lambda()#1} 0\n");
  AddBase(1, {4, 0}, profile);
  EXPECT_THAT(StackRows(profile), ElementsAre("main;f(int)::{lambda()#1} 0 4",
                                              "main;f(int)::{lambda()#2} 7 0"));
  profile.compares_builds = true;
  EXPECT_THAT(StackRows(profile), ElementsAre("main;f(int)::{lambda()} 7 4"));
}

TEST(StackTableTest, ReadsTheMetricAskedFor) {
  Profile profile = ProfileOf("main;f 5\nmain;g 6\n");
  profile.samples[1].values[Metric::kAllocSpace].value = 3;
  EXPECT_THAT(StackRows(profile, Metric::kAllocSpace),
              ElementsAre("main;g 3 0"));
}

}  // namespace
}  // namespace heapprof
