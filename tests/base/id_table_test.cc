// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/id_table.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(IdTableTest, FindsOnlyAddedRows) {
  std::vector<std::string> rows{""};
  IdTable table;
  const auto find = [&](const std::string& text) {
    return table.Find(std::hash<std::string>()(text),
                      [&](uint32_t i) { return rows[i] == text; });
  };
  for (uint32_t i = 1; i <= 10'000; ++i) {
    const std::string text = std::to_string(i);
    ASSERT_EQ(find(text), 0U);
    rows.push_back(text);
    table.Add(std::hash<std::string>()(text), i);
  }
  for (uint32_t i = 1; i <= 10'000; ++i) ASSERT_EQ(find(std::to_string(i)), i);
  EXPECT_EQ(find("10001"), 0U);
}

TEST(IdTableTest, DistinguishesRowsOfOneHash) {
  IdTable table;
  for (uint32_t i = 1; i <= 100; ++i) table.Add(7, i);
  for (uint32_t i = 1; i <= 100; ++i)
    EXPECT_EQ(table.Find(7, [i](uint32_t found) { return found == i; }), i);
  EXPECT_EQ(table.Find(7, [](uint32_t) { return false; }), 0U);
}

TEST(IdTableTest, SharesNothingWithItsCopy) {
  IdTable table;
  const IdTable copy = table;
  table.Add(1, 5);
  const auto any = [](uint32_t) { return true; };
  EXPECT_EQ(table.Find(1, any), 5U);
  EXPECT_EQ(copy.Find(1, any), 0U);
}

}  // namespace
}  // namespace heapprof
