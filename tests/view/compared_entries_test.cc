// SPDX-License-Identifier: Apache-2.0
#include "view/compared_entries.h"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/stack_call.h"
#include "heapprof/transform/groups.h"
#include "heapprof/view/stack_table.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> KeysOf(const ComparedEntries& found,
                                const Profile& profile, size_t sample) {
  std::vector<std::string> keys;
  for (const uint32_t entry : found.samples.Of(profile.samples[sample]))
    keys.push_back(found.entries[entry].key);
  return keys;
}

TEST(FindEntriesTest, ListsTheEntriesOfASampleLeafFirst) {
  const Profile profile = ProfileOf("main;f;f|g 1\nmain 2\n");
  const ComparedEntries found = FindEntries(profile, {});
  EXPECT_THAT(KeysOf(found, profile, 0), ElementsAre("g", "f", "f", "main"));
  EXPECT_THAT(KeysOf(found, profile, 1), ElementsAre("main"));
  EXPECT_THAT(found.entries, SizeIs(3));
}

TEST(FindEntriesTest, FindsTheGroupOfEachSample) {
  Profile profile = ProfileOf("a;f 1\nf 2\n");
  std::vector<Group> groups(1);
  groups[0].name = "A";
  groups[0].functions.push_back(*Regex::Compile("groups", "^a"));
  ASSERT_TRUE(AddGroupRoots(groups, profile));
  const ComparedEntries found = FindEntries(profile, {.by = CompareBy::kGroup});
  EXPECT_THAT(KeysOf(found, profile, 0), ElementsAre("A"));
  EXPECT_THAT(KeysOf(found, profile, 1), ElementsAre("[other]"));
}

TEST(FindEntriesTest, LeavesOutSamplesWithoutAValue) {
  const Profile profile = ProfileOf("main;f 0\nmain;g 2\n");
  const ComparedEntries found = FindEntries(profile, {});
  EXPECT_THAT(KeysOf(found, profile, 0), IsEmpty());
  EXPECT_THAT(KeysOf(found, profile, 1), ElementsAre("g", "main"));
  EXPECT_THAT(found.entries, SizeIs(2));
  // The bytes allocated are not those in use.
  EXPECT_THAT(FindEntries(profile, {.metric = Metric::kAllocSpace}).entries,
              IsEmpty());
}

TEST(FindEntriesTest, ReplacesTheSeparatorInTheFramesOfStacks) {
  Profile profile = ProfileOf("main;f 1\n");
  const StringId odd = profile.strings.Intern("a;b");
  for (Function& function : profile.functions)
    if (profile.String(function.name) == "f") function.name = odd;
  const ComparedEntries found = FindEntries(profile, {.by = CompareBy::kStack});
  EXPECT_THAT(KeysOf(found, profile, 0), ElementsAre("main;a:b"));
}

TEST(FindEntriesTest, NamesStacksAsACollapsedReportDoes) {
  Profile profile = ProfileOf("main;f 1\n");
  const StringId odd = profile.strings.Intern("a;\x1b[31m");
  for (Function& function : profile.functions)
    function.name = profile.String(function.name) == "f" ? odd : StringId();
  const ComparedEntries found = FindEntries(profile, {.by = CompareBy::kStack});
  EXPECT_THAT(KeysOf(found, profile, 0), ElementsAre("??;a:?[31m"));
  EXPECT_THAT(MakeStackTable(profile, Metric::kInuseSpace).labels,
              ElementsAre("??", "a:?[31m"));
}

TEST(FindEntriesTest, ChargesASampleToItsCallOnly) {
  const Profile profile = ProfileOf("main;f;malloc 1\nmain 2\n");
  const uint32_t line_of_f =
      profile.locations[profile.StackFrames({1})[1].index()].lines.first;
  const ComparedEntries found = FindEntries(
      profile,
      {.calls = {std::nullopt, StackCall{.frame = 1, .line = line_of_f},
                 std::nullopt}});
  EXPECT_THAT(KeysOf(found, profile, 0), ElementsAre("f"));
  EXPECT_THAT(KeysOf(found, profile, 1),
              ElementsAre(std::string(kOutsideOwnCode)));
}

TEST(ComparedSamplesTest, AreThoseOfThreadsOnlyIfThreadsAreCompared) {
  Profile profile = ProfileOf("main 1\nmain;f 2\n");
  AddToThread(1, 4, "worker", profile);
  EXPECT_THAT(ComparedSamples(profile, CompareBy::kThread), SizeIs(1));
  for (const CompareBy by : {CompareBy::kFunction, CompareBy::kStack,
                             CompareBy::kFile, CompareBy::kModule})
    EXPECT_THAT(ComparedSamples(profile, by), SizeIs(2));
}

}  // namespace
}  // namespace heapprof
