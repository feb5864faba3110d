// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/module_table.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// "path unresolved/locations share% resolved%" per row.
std::vector<std::string> RowsOf(const ModuleTable& table) {
  std::vector<std::string> rows;
  for (const ModuleRow& row : table.rows)
    rows.push_back(fmt::format("{} {}/{} {}% {}%", row.path, row.unresolved,
                               row.locations, row.percent,
                               row.resolved_percent));
  return rows;
}

TEST(MakeModuleTableTest, SortsByMissingNames) {
  const ModuleTable table =
      MakeModuleTable(ProfileWithUnresolved(
                          "app!main 20\napp!main;y!y+0x1 10\napp!main;y!f 10\n"
                          "app!main;z!z+0x1 60\nw!w+0x1;v!g 100\n"),
                      Metric::kInuseSpace, {});
  EXPECT_THAT(RowsOf(table),
              ElementsAre("z 1/1 30% 0%", "y 1/2 10% 50%", "v 0/1 50% 100%",
                          "app 0/1 10% 100%", "w 1/1 0% 100%"));
  EXPECT_EQ(table.unresolved, 3u);
  EXPECT_EQ(table.unresolved_percent, 35);
}

ModuleRow RowThatFits(uint32_t all, uint32_t after_call) {
  ModuleRow row;
  row.locations = 1;
  row.info.return_addresses = all;
  row.info.after_call = after_call;
  return row;
}

TEST(HasDoubtfulNamesTest, CountsAddressesThatFollowNoCall) {
  EXPECT_TRUE(HasDoubtfulNames(RowThatFits(4, 2)));
  EXPECT_TRUE(HasDoubtfulNames(RowThatFits(120, 118)));
  EXPECT_FALSE(HasDoubtfulNames(RowThatFits(4, 3)));  // a signal frame
  EXPECT_FALSE(HasDoubtfulNames(RowThatFits(1200, 1190)));
  EXPECT_TRUE(HasDoubtfulNames(RowThatFits(199, 197)));
  EXPECT_FALSE(HasDoubtfulNames(RowThatFits(200, 198)));
  EXPECT_FALSE(HasDoubtfulNames(RowThatFits(0, 0)));
}

TEST(HasDoubtfulNamesTest, TrustsABuildIdAndNeedsNames) {
  ModuleRow row = RowThatFits(4, 2);
  row.info.build_id = "a1";
  EXPECT_TRUE(HasDoubtfulNames(row));
  row.info.wanted_build_id = "a1";
  EXPECT_FALSE(HasDoubtfulNames(row));
  row.info.wanted_build_id.clear();
  row.unresolved = 1;
  EXPECT_FALSE(HasDoubtfulNames(row));
}

TEST(HasUncheckedNamesTest, DistrustsADebugFileWithoutABuildIdToMatch) {
  ModuleRow row = RowThatFits(0, 0);
  EXPECT_FALSE(HasUncheckedNames(row));
  row.info.is_debug_file = true;
  EXPECT_TRUE(HasUncheckedNames(row));
  row.info.wanted_build_id = "a1";
  EXPECT_FALSE(HasUncheckedNames(row));
  row.info.wanted_build_id.clear();
  row.unresolved = row.locations;
  EXPECT_FALSE(HasUncheckedNames(row));
}

TEST(MakeModuleTableTest, ExplainsMissingNamesWithoutAReason) {
  std::vector<ModuleInfo> info(3);
  info[1].reason = "gone";
  const ModuleTable table = MakeModuleTable(
      ProfileWithUnresolved("a!a+0x1 4\nb!b+0x1 3\nb!f 1\njit+0x1 2\n"),
      Metric::kInuseSpace, info);
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].info.reason, "gone");
  EXPECT_EQ(table.rows[1].info.reason, "no symbol for 1 of 2 addresses");
  EXPECT_EQ(table.rows[2].info.reason, "the dump has no memory map");
  Profile symbolized = ProfileWithUnresolved("a+0x1 2\n");
  symbolized.is_symbolized = true;
  EXPECT_EQ(MakeModuleTable(symbolized, Metric::kInuseSpace, {})
                .rows.at(0)
                .info.reason,
            "the file has only addresses for them");
  Profile mapped = ProfileWithUnresolved("jit+0x1 2\n");
  mapped.has_memory_map = true;
  EXPECT_EQ(
      MakeModuleTable(mapped, Metric::kInuseSpace, {}).rows[0].info.reason,
      "the memory map has no file there: code that was generated at run "
      "time, a library that was unloaded, or a dump that is cut off in its "
      "map, which --maps replaces");
}

TEST(MakeModuleTableTest, HasNoShareOfNothing) {
  const ModuleTable table = MakeModuleTable(
      ProfileWithUnresolved("a!a+0x1 7\n"), Metric::kAllocObjects, {});
  EXPECT_THAT(RowsOf(table), ElementsAre("a 1/1 0% 100%"));
  EXPECT_EQ(table.unresolved_percent, 0);
}

TEST(MakeModuleTableTest, SumsStacksWithoutNamesAndWithLines) {
  const ModuleTable table = MakeModuleTable(
      ProfileWithUnresolved("app!main;app!f%f.cc:3 50\n"
                            "app!main;z!z+0x1 20\n"
                            "app!app+0x1;app!app+0x2;glib!malloc 20\n"
                            "app!main;glib!malloc 10\n"),
      Metric::kInuseSpace, {});
  EXPECT_EQ(table.nameless_percent, 40);
  EXPECT_EQ(table.lined_percent, 50);
  std::vector<std::string> rows;
  for (const ModuleRow& row : table.rows)
    rows.push_back(fmt::format("{}{} {}", row.path,
                               row.is_main_program ? "*" : "",
                               row.nameless_percent));
  EXPECT_THAT(rows, ElementsAre("z 20", "app* 20", "glib 0"));
}

TEST(MakeModuleTableTest, MarksEachProgramOfAMergedProfile) {
  Profile profile = ProfileOf("app!f 3\ntool!f 2\nlib!f 1\n");
  profile.other_programs = {profile.strings.Intern("tool")};
  std::vector<std::string> programs;
  for (const ModuleRow& row :
       MakeModuleTable(profile, Metric::kInuseSpace, {}).rows)
    if (row.is_main_program) programs.push_back(row.path);
  EXPECT_THAT(programs, ElementsAre("app", "tool"));
}

// The status of the module "m" of a profile.
std::string StatusOf(std::string_view stacks, ModuleInfo info) {
  const ModuleTable table =
      MakeModuleTable(ProfileWithUnresolved(stacks), Metric::kInuseSpace,
                      {{}, std::move(info)});
  return std::string(StatusName(table.rows.front().status));
}

TEST(ModuleStatusTest, SaysHowManyAddressesAFileNames) {
  for (const FileState state : {FileState::kFound, FileState::kNoDebugInfo}) {
    EXPECT_EQ(StatusOf("m!f%f.cc:3 1\n", {.file_state = state}), "ok");
    EXPECT_EQ(StatusOf("m!f 1\n", {.file_state = state}), "no lines");
    EXPECT_EQ(StatusOf("m!f;m!m+0x1 1\n", {.file_state = state}), "some names");
    EXPECT_EQ(StatusOf("m!m+0x1 1\n", {.file_state = state}), "no names");
  }
  EXPECT_EQ(StatusOf("m!f%f.cc:3 1\n", {.problems = {"damaged"}}),
            "incomplete");
}

TEST(ModuleStatusTest, SaysWhyAFileGivesNoNames) {
  for (const auto& [state, status] :
       {std::pair(FileState::kKernelCode, "kernel"),
        std::pair(FileState::kGenerated, "generated"),
        std::pair(FileState::kNotFound, "missing"),
        std::pair(FileState::kUnreadable, "unreadable"),
        std::pair(FileState::kAnotherBuild, "wrong build"),
        std::pair(FileState::kNoAddresses, "ambiguous")}) {
    EXPECT_EQ(StatusOf("m!m+0x1 1\n", {.file_state = state}), status);
    // Names may have come with the profile.
    EXPECT_EQ(StatusOf("m!f%f.cc:3 1\n", {.file_state = state}), "ok");
  }
  EXPECT_EQ(StatusOf("jit+0x1 1\n", {}), "not mapped");
}

}  // namespace
}  // namespace heapprof
