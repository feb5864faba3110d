// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/call_tree.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using enum CallDirection;

CallTreeOptions OptionsFor(std::string_view part, CallDirection direction) {
  return {.direction = direction,
          .least_fraction = 0,
          .matches = [part](std::string_view name) {
            return name.find(part) != name.npos;
          }};
}

// One text per row: ". " per call from the root, "=" if it continues the row
// above, "," if more rows of its parent follow.
std::vector<std::string> Rows(const CallTree& tree) {
  std::vector<std::string> rows;
  for (const CallTreeRow& row : tree.rows) {
    std::string text;
    for (uint32_t i = 0; i < row.depth; ++i) text += ". ";
    if (row.continues) text += "=";
    if (row.kind == CallTreeRowKind::kFunction) text += tree.names[row.name];
    if (row.kind == CallTreeRowKind::kEnd) text += "END";
    if (row.kind == CallTreeRowKind::kRest)
      text += fmt::format("{} MORE", row.count);
    rows.push_back(
        fmt::format("{} {}{}", text, row.value, row.is_last ? "" : ","));
  }
  return rows;
}

std::vector<std::string> Rows(std::string_view stacks, std::string_view part,
                              CallDirection direction) {
  return Rows(MakeCallTree(ProfileOf(stacks), OptionsFor(part, direction)));
}

constexpr std::string_view kStacks =
    "main;run;read;alloc 60\n"
    "main;run;write;buffer;alloc 30\n"
    "main;alloc 5\n"
    "idle 5\n";

TEST(CallTreeTest, ShowsCallersAllTheWayUp) {
  EXPECT_THAT(Rows(kStacks, "alloc", kCallers),
              ElementsAre("alloc 95", ". read 60,", ". . =run 60",
                          ". . . =main 60", ". buffer 30,", ". . =write 30",
                          ". . . =run 30", ". . . . =main 30", ". main 5"));
}

TEST(CallTreeTest, ShowsCalleesAllTheWayDown) {
  EXPECT_THAT(Rows(kStacks, "main", kCallees),
              ElementsAre("main 95", ". run 90,", ". . read 60,",
                          ". . . =alloc 60", ". . write 30", ". . . =buffer 30",
                          ". . . . =alloc 30", ". alloc 5"));
}

TEST(CallTreeTest, ShowsStacksThatEndAtAFunctionWithCallees) {
  EXPECT_THAT(Rows("main;f 3\nmain;f;g 4\n", "f", kCallees),
              ElementsAre("f 7", ". g 4,", ". END 3"));
  EXPECT_THAT(Rows("main;f;g 4\nf;g 3\n", "g", kCallers),
              ElementsAre("g 7", ". f 7", ". . main 4,", ". . END 3"));
}

TEST(CallTreeTest, CountsARecursiveFunctionOncePerStack) {
  constexpr std::string_view kRecursion = "main;f;f;g;f;h 10\nmain;f;h 2\n";
  EXPECT_THAT(Rows(kRecursion, "f", kCallers),
              ElementsAre("f 12", ". main 12"));
  EXPECT_THAT(
      Rows(kRecursion, "f", kCallees),
      ElementsAre("f 12", ". g 10,", ". . =f 10", ". . . =h 10", ". h 2"));
}

TEST(CallTreeTest, LeavesOutTreesThatAreInOthers) {
  constexpr std::string_view kNested = "main;f1;f2 10\nmain;f1;f3 20\n";
  const CallTree up =
      MakeCallTree(ProfileOf(kNested), OptionsFor("f", kCallers));
  EXPECT_THAT(Rows(up), ElementsAre("f3 20,", ". f1 20", ". . =main 20",
                                    "f2 10", ". f1 10", ". . =main 10"));
  EXPECT_EQ(up.matching, 3u);
  EXPECT_EQ(up.covered, 1u);
  EXPECT_EQ(up.hidden_roots, 0u);
  EXPECT_EQ(up.matched, 30);
  EXPECT_THAT(Rows(kNested, "f", kCallees),
              ElementsAre("f1 30", ". f3 20,", ". f2 10"));
}

TEST(CallTreeTest, HasATreeForEachFunctionThatMatches) {
  const CallTree tree =
      MakeCallTree(ProfileOf("main;f1;f2 10\nmain;f2 20\nmain;f1 2\n"),
                   OptionsFor("f", kCallers));
  EXPECT_THAT(Rows(tree), ElementsAre("f2 30,", ". main 20,", ". f1 10",
                                      ". . =main 10", "f1 12", ". main 12"));
  EXPECT_EQ(tree.matching, 2u);
  EXPECT_EQ(tree.covered, 0u);
  EXPECT_EQ(tree.matched, 32);
}

TEST(CallTreeTest, TellsInlinedCallsApart) {
  EXPECT_THAT(Rows("main;f|g|h 8\nmain;h 1\n", "h", kCallers),
              ElementsAre("h (inline) 8,", ". g (inline) 8", ". . =f 8",
                          ". . . =main 8", "h 1", ". main 1"));
}

TEST(CallTreeTest, CutsSmallNodesAndSaysSo) {
  const Profile profile =
      ProfileOf("a;f 900\nb;f 40\nc;f 30\nd;f 20\ne;f 8\nx;y;f;g 1\nother 1\n");
  CallTreeOptions options = OptionsFor("f", kCallers);
  options.least_fraction = 0.035;
  CallTree tree = MakeCallTree(profile, options);
  EXPECT_THAT(Rows(tree),
              ElementsAre("f 999", ". a 900,", ". b 40,", ". 4 MORE 59"));
  EXPECT_EQ(tree.hidden_small, 0u);
  options.least_fraction = 0.5;
  tree = MakeCallTree(profile, options);
  EXPECT_THAT(Rows(tree), ElementsAre("f 999", ". a 900"));
  EXPECT_EQ(tree.hidden_small, 5u);
  options.matches = [](std::string_view name) { return name != "f"; };
  tree = MakeCallTree(profile, options);
  EXPECT_THAT(Rows(tree), ElementsAre("a 900"));
  EXPECT_EQ(tree.hidden_roots, 6u);
  EXPECT_EQ(tree.covered, 2u);
}

TEST(CallTreeTest, FillsAllAvailableRows) {
  const Profile profile = ProfileOf("m;a;b;c;d;f 100\nm;x;f 60\nm;y;f 1\n");
  CallTreeOptions options = OptionsFor("f", kCallers);
  const std::vector<std::string> all = Rows(MakeCallTree(profile, options));
  EXPECT_EQ(all.size(), 10u);
  options.most_rows = 10;
  CallTree tree = MakeCallTree(profile, options);
  EXPECT_EQ(Rows(tree), all);
  EXPECT_FALSE(tree.has_more_rows);
  options.most_rows = 6;
  tree = MakeCallTree(profile, options);
  EXPECT_THAT(Rows(tree), ElementsAre("f 161", ". d 100,", ". . =c 100",
                                      ". . . =1 MORE 100", ". 2 MORE 61"));
  EXPECT_TRUE(tree.has_more_rows);
}

TEST(CallTreeTest, SortsDifferencesBySizeWithSharesOfAllChanges) {
  const CallTree tree =
      MakeCallTree(ProfileOf("a;f -50\nb;f 30\nc;e;f 20\nc;d;f -20\n"),
                   OptionsFor("f", kCallers));
  EXPECT_THAT(Rows(tree),
              ElementsAre("f -20", ". a -50,", ". b 30,", ". d -20,",
                          ". . =c -20", ". e 20", ". . =c 20"));
  EXPECT_EQ(tree.total, -20);
  EXPECT_EQ(tree.total_size, 120);
  EXPECT_TRUE(tree.has_both_signs);
  EXPECT_EQ(tree.rows[1].percent, 100 * -50 / 120.0);
}

// As tables do: of f, 10 - 4; of a, 7 - 2. The stack of c has not changed, but
// its fractions count.
TEST(CallTreeTest, RoundsBothSidesOfAComparison) {
  Profile profile =
      ProfileOf("a;f 7.5\nb;f 2.25\nc;f 0.5\na;f 2.25\nb;f 1.5\nc;f 0.5\n");
  for (const size_t i : {3u, 4u, 5u}) {
    profile.samples[i].side = Side::kBase;
    profile.samples[i].stack = profile.samples[i - 3].stack;
  }
  profile.is_comparison = true;
  const CallTree tree = MakeCallTree(profile, OptionsFor("f", kCallers));
  EXPECT_THAT(Rows(tree), ElementsAre("f 6", ". a 5,", ". b 1"));
  EXPECT_EQ(tree.matched, 6);
  EXPECT_EQ(tree.total, 6);
  EXPECT_FALSE(tree.has_both_signs);
  EXPECT_EQ(tree.matching, 1u);
  EXPECT_THAT(Rows(MakeCallTree(profile, OptionsFor("c", kCallees))),
              IsEmpty());
}

TEST(CallTreeTest, KeepsFunctionsThatGrewAndShrank) {
  CallTreeOptions options = OptionsFor("f", kCallees);
  options.least_fraction = 0.1;
  EXPECT_THAT(Rows(MakeCallTree(ProfileOf("f;g;x 50\nf;g;y -50\n"), options)),
              ElementsAre("f 0", ". g 0", ". . x 50,", ". . y -50"));
}

TEST(CallTreeTest, MergesAdjacentFramesInOneFile) {
  CallTreeOptions options = OptionsFor("b.cc", kCallers);
  options.labels.granularity = Granularity::kFiles;
  EXPECT_THAT(Rows(MakeCallTree(
                  ProfileOf("m%a.cc:1;f%b.cc:2;g%b.cc:3;h%b.cc:4;i%c.cc:1 7\n"),
                  options)),
              ElementsAre("b.cc 7", ". a.cc 7"));
}

TEST(CallTreeTest, FindsFunctionsByTheirFullNames) {
  const Profile profile = ProfileOf("main;ns::f<int>(char) 7\n");
  EXPECT_THAT(Rows(MakeCallTree(profile, OptionsFor("f<int>(char)", kCallers))),
              ElementsAre("ns::f 7", ". main 7"));
  CallTreeOptions options = OptionsFor("f<int>(char)", kCallers);
  options.labels.granularity = Granularity::kModules;
  EXPECT_THAT(Rows(MakeCallTree(profile, options)), IsEmpty());
}

TEST(CallTreeTest, FindsInlinedFunctionsByTheirPlainNames) {
  CallTreeOptions options = OptionsFor("", kCallers);
  options.matches = [](std::string_view name) { return name == "ns::g"; };
  EXPECT_THAT(
      Rows(MakeCallTree(ProfileOf("main|ns::g<int>(char) 7\n"), options)),
      ElementsAre("ns::g (inline) 7", ". main 7"));
}

TEST(CallTreeTest, AcceptsEmptyAndDeepStacks) {
  EXPECT_THAT(Rows("7\n", "f", kCallers), IsEmpty());
  std::string stack = "root";
  for (int i = 0; i < 50'000; ++i) stack += i % 2 == 0 ? ";a" : ";b";
  const CallTree up =
      MakeCallTree(ProfileOf(stack + ";f 7\n"), OptionsFor("f", kCallers));
  ASSERT_EQ(up.rows.size(), 50'002u);
  EXPECT_EQ(up.rows.back().depth, 50'001u);
  EXPECT_EQ(up.names[up.rows.back().name], "root");
}

// A function's value is the sum of its children and of the stacks that end at
// it.
TEST(CallTreeTest, AddsUpAtEachFunction) {
  std::string stacks;
  unsigned random = 1;
  for (int i = 0; i < 300; ++i) {
    for (int depth = 0; depth < 12; ++depth) {
      random = random * 1103515245 + 12345;
      stacks += fmt::format("{}f{}", depth == 0 ? "" : ";", random >> 16 & 7);
    }
    stacks += fmt::format(" {}\n", i - 100);
  }
  const Profile profile = ProfileOf(stacks);
  for (const CallDirection direction : {kCallers, kCallees}) {
    const CallTree tree = MakeCallTree(profile, OptionsFor("f", direction));
    std::map<size_t, double> below;  // by row: the sum of its children
    std::vector<size_t> parents;
    for (size_t i = 0; i < tree.rows.size(); ++i) {
      parents.resize(tree.rows[i].depth);
      if (!parents.empty()) below[parents.back()] += tree.rows[i].value;
      parents.push_back(i);
    }
    EXPECT_GT(below.size(), 1000u);
    for (const auto& [row, sum] : below)
      EXPECT_EQ(tree.rows[row].value, sum) << row;
  }
}

}  // namespace
}  // namespace heapprof
