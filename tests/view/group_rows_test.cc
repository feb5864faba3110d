// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/group_rows.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

struct Row {
  std::string name;
};

std::vector<std::string> Shown(std::vector<std::string> names, size_t most) {
  std::vector<Row> rows;
  for (const std::string& name : names) rows.push_back({name});
  rows.resize(KeepOtherGroup(rows, most));
  names.clear();
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

TEST(KeepOtherGroupTest, NeverCutsIt) {
  const std::vector<std::string> names = {"a", "b", "c", "[other]", "d"};
  EXPECT_THAT(Shown(names, 0), ElementsAre("a", "b", "c", "[other]", "d"));
  EXPECT_THAT(Shown(names, 5), ElementsAre("a", "b", "c", "[other]", "d"));
  EXPECT_THAT(Shown(names, 4), ElementsAre("a", "b", "c", "[other]"));
  EXPECT_THAT(Shown(names, 3), ElementsAre("a", "b", "[other]"));
  EXPECT_THAT(Shown(names, 1), ElementsAre("a", "[other]"));
  EXPECT_THAT(Shown({"a", "b"}, 1), ElementsAre("a"));
  EXPECT_THAT(Shown({"[other]", "a"}, 1), ElementsAre("[other]"));
}

}  // namespace
}  // namespace heapprof
