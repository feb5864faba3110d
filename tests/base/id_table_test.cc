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

TEST(IdTableTest, AddsWhatItDoesNotFind) {
  IdTable table;
  const auto find_or_add = [&](size_t number) {
    return table.FindOrAdd(7, number,
                           [](uint32_t known) { return known == 5; });
  };
  EXPECT_EQ(find_or_add(4), 4U);
  EXPECT_EQ(find_or_add(5), 5U);
  EXPECT_EQ(find_or_add(6), 5U);
}

TEST(IdTableTest, NumbersRowsFrom0) {
  const std::string texts[] = {"a", "b", "a", "c", "b"};
  std::vector<std::string> rows;
  std::vector<uint32_t> indices;
  IdTable table;
  for (const std::string& text : texts) {
    indices.push_back(table.FindOrAddIndex(
        std::hash<std::string>()(text), rows.size(),
        [&](uint32_t known) { return rows[known] == text; }));
    if (indices.back() == rows.size()) rows.push_back(text);
  }
  EXPECT_EQ(indices, (std::vector<uint32_t>{0, 1, 0, 2, 1}));
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
