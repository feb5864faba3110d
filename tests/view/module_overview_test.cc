// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/module_overview.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

ModuleRow Row(const char* path, double percent, double nameless_percent,
              ModuleStatus status = ModuleStatus::kOk,
              FileState state = FileState::kFound) {
  ModuleRow row;
  row.path = path;
  row.percent = percent;
  row.nameless_percent = nameless_percent;
  row.status = status;
  row.info.file_state = state;
  return row;
}

std::vector<std::string> PathsOf(const std::vector<const ModuleRow*>& rows) {
  std::vector<std::string> paths;
  for (const ModuleRow* row : rows) paths.push_back(row->path);
  return paths;
}

TEST(MakeModuleOverviewTest, ShowsLargeModulesAndSumsTheRest) {
  ModuleTable table;
  table.rows = {Row("a", 20, 0),   Row("b", 0, 30, ModuleStatus::kNoNames),
                Row("main", 0, 0), Row("c", 0.1, 0),
                Row("d", 0.09, 0), Row("e", 0.05, 0.05, ModuleStatus::kNoNames),
                Row("f", 0.01, 0)};
  table.rows[2].is_main_program = true;
  const ModuleOverview some = MakeModuleOverview(table, 12);
  EXPECT_THAT(PathsOf(some.rows), ElementsAre("b", "a", "c", "main"));
  EXPECT_EQ(some.more, 3u);
  EXPECT_NEAR(some.more_percent, 0.15, 1e-9);
  EXPECT_THAT(some.more_by_status,
              ElementsAre(std::pair(ModuleStatus::kOk, size_t{2}),
                          std::pair(ModuleStatus::kNoNames, size_t{1})));
  const ModuleOverview few = MakeModuleOverview(table, 1);
  EXPECT_THAT(PathsOf(few.rows), ElementsAre("b", "main"));
  EXPECT_EQ(few.more, 5u);
  const ModuleOverview all = MakeModuleOverview(table, 0);
  EXPECT_EQ(all.rows.size(), table.rows.size());
  EXPECT_EQ(all.more, 0u);
}

TEST(MakeModuleOverviewTest, DoesNotSumASingleModule) {
  ModuleTable table;
  table.rows = {Row("a", 99.99, 0), Row("b", 0.01, 0)};
  EXPECT_THAT(PathsOf(MakeModuleOverview(table, 12).rows),
              ElementsAre("a", "b"));
  // Unless there would be more than the limit.
  EXPECT_THAT(PathsOf(MakeModuleOverview(table, 1).rows), ElementsAre("a"));
}

TEST(MakeModuleOverviewTest, IsEmptyWithoutModules) {
  const ModuleTable table;
  const ModuleOverview overview = MakeModuleOverview(table, 12);
  EXPECT_THAT(overview.rows, IsEmpty());
  EXPECT_THAT(overview.gaps, IsEmpty());
  EXPECT_EQ(overview.more, 0u);
}

TEST(MakeModuleOverviewTest, LeavesOutGapsThatHardlyMatter) {
  ModuleTable table;
  // With debug information, except for a few stubs.
  table.rows = {Row("a", 90, 0.9, ModuleStatus::kSomeNames)};
  EXPECT_THAT(MakeModuleOverview(table, 12).gaps, IsEmpty());
  table.rows[0].nameless_percent = 1;
  EXPECT_EQ(MakeModuleOverview(table, 12).gaps.size(), 1u);
}

TEST(MakeModuleOverviewTest, NamesAFewModulesOfAGap) {
  ModuleTable table;
  for (int i = 0; i < 8; ++i)
    table.rows.push_back(
        Row("a", 10, 10, ModuleStatus::kMissing, FileState::kNotFound));
  const ModuleOverview overview = MakeModuleOverview(table, 12);
  ASSERT_EQ(overview.gaps.size(), 1u);
  EXPECT_EQ(overview.gaps[0].modules.size(), 6u);
  EXPECT_EQ(overview.gaps[0].more, 2u);
  EXPECT_EQ(MakeModuleOverview(table, 0).gaps[0].modules.size(), 8u);
}

TEST(MakeModuleOverviewTest, GroupsModulesThatOneSuggestionHelps) {
  const auto missing_debug = [](const char* path, double percent) {
    ModuleRow row = Row(path, percent, percent, ModuleStatus::kNoNames,
                        FileState::kNoDebugInfo);
    row.info.suggestions = {
        {.text = "install:", .command = "dpkg -S", .argument = path},
        {.text = "or:", .command = "curl", .is_alternative = true},
        {.text = "set:", .command = "export X=y"},
        {.text = "build it"}};
    return row;
  };
  ModuleTable table;
  table.rows = {
      missing_debug("/a", 30),
      Row("/gone", 25, 25, ModuleStatus::kMissing, FileState::kNotFound),
      missing_debug("/b", 20),
      missing_debug("/tiny", 0.9),
      Row("/fine", 5, 0),
      Row("[vdso]", 3, 3, ModuleStatus::kKernel, FileState::kKernelCode)};
  std::vector<std::string> lines;
  const ModuleOverview overview = MakeModuleOverview(table, 12);
  for (const ModuleGap& gap : overview.gaps) {
    lines.push_back(fmt::format("{}", fmt::join(PathsOf(gap.modules), " ")));
    for (const auto& [text, command, arguments] : gap.suggestions)
      lines.push_back(
          fmt::format("  {} {} {}", text, command, fmt::join(arguments, " ")));
  }
  EXPECT_THAT(lines,
              ElementsAre("/a /b", "  install: dpkg -S /a /b",
                          "  set: export X=y ", "  build it  ", "/gone"));
}

// A package has the debug file of the library, but not that of the program.
TEST(MakeModuleOverviewTest, BeginsWithWhatHelpsTheLargestModule) {
  ModuleRow program = Row("/srv/server", 60, 60, ModuleStatus::kNoNames,
                          FileState::kNoDebugInfo);
  program.info.suggestions = {{.text = "give it"}};
  ModuleRow library = Row("/usr/lib/libz.so", 40, 20, ModuleStatus::kSomeNames,
                          FileState::kNoDebugInfo);
  library.info.suggestions = {
      {.text = "install:", .command = "dpkg -S", .argument = "libz.so"},
      {.text = "give it"}};
  ModuleTable table;
  table.rows = {library, program};
  const ModuleOverview overview = MakeModuleOverview(table, 12);
  ASSERT_EQ(overview.gaps.size(), 1u);
  EXPECT_THAT(
      overview.gaps[0].suggestions,
      ElementsAre(Field(&ModuleGap::SharedSuggestion::text, "give it"),
                  Field(&ModuleGap::SharedSuggestion::text, "install:")));
}

}  // namespace
}  // namespace heapprof
