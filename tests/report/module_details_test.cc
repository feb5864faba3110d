// SPDX-License-Identifier: Apache-2.0
#include "report/module_details.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ModuleRow RowOf(std::string path) {
  ModuleRow row;
  row.path = std::move(path);
  return row;
}

std::string DetailsOf(const ModuleRow& row) {
  FieldWriter out(80);
  WriteModuleDetails(row, out);
  return std::move(out).Finish();
}

TEST(ModuleTitleTest, NamesRowsWithoutAPath) {
  EXPECT_EQ(ModuleTitle(RowOf("/srv/app")), "/srv/app");
  ModuleRow row = RowOf("");
  EXPECT_EQ(ModuleTitle(row), "addresses outside the memory map");
  row.lacks_map = true;
  EXPECT_EQ(ModuleTitle(row), "addresses without a memory map");
}

TEST(WriteModuleDetailsTest, ComparesTheBuildIds) {
  ModuleRow row = RowOf("/srv/app");
  row.info.file = "/srv/app";
  row.info.build_id = "aa";
  EXPECT_THAT(DetailsOf(row), HasSubstr("build id          aa\n"));
  row.info.wanted_build_id = "aa";
  EXPECT_THAT(DetailsOf(row), HasSubstr("build id          aa (as wanted)\n"));
  row.info.wanted_build_id = "bb";
  EXPECT_THAT(DetailsOf(row),
              HasSubstr("build id          bb wanted, aa found\n"));
}

TEST(WriteModuleDetailsTest, LeavesOutUnknownDetails) {
  const std::string details = DetailsOf(RowOf("/srv/app"));
  EXPECT_THAT(details, HasSubstr("status"));
  for (const char* key : {"build id", "debug info", "fit", "missing", "tried"})
    EXPECT_THAT(details, Not(HasSubstr(key))) << key;
}

}  // namespace
}  // namespace heapprof
