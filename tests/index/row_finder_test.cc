// SPDX-License-Identifier: Apache-2.0
#include "index/row_finder.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "index/index_testing.h"

namespace heapprof {
namespace {

RowFinder FinderIn(std::string_view index, uint64_t row_count,
                   uint64_t first_start) {
  return RowFinder(SectionIn(index, IndexSection::kBlockStarts),
                   SectionIn(index, IndexSection::kBlockOffsets),
                   SectionIn(index, IndexSection::kRows), row_count,
                   first_start);
}

// A row for every 16 bytes from 0x1000 on, whose column is its number.
std::string IndexOfRows(uint32_t count) {
  CodeMap map;
  map.names = {"f"};
  map.functions = {{.name = 0, .start_line = 10}};
  map.nodes = {{.entry_pc = 0x1000}};
  for (uint32_t i = 0; i < count; ++i)
    map.rows.push_back({0x1000 + 16 * i, 0, 0, 10 + i, i});
  map.ranges = {{0x1000, 0x1000 + 16 * count, 0, count}};
  return *EncodeIndex(SmallKey(), &map);
}

TEST(RowFinderTest, FindsTheRowThatHoldsAtAnAddress) {
  constexpr uint32_t kCount = 5 * kRowsPerBlock + 3;
  const std::string index = IndexOfRows(kCount);
  // One more row says where the range ends.
  RowFinder rows = FinderIn(index, kCount + 1, 0x1000);
  EXPECT_EQ(rows.Find(0xfff).node, 0u);
  for (uint32_t i = 0; i < kCount; ++i)
    for (const uint64_t inside : {0u, 15u}) {
      const IndexRow row = rows.Find(0x1000 + 16 * i + inside);
      EXPECT_NE(row.node, 0u);
      EXPECT_EQ(row.start, 0x1000 + 16 * i);
      EXPECT_EQ(row.line_step, i);
      EXPECT_EQ(row.column, i);
    }
  EXPECT_EQ(rows.Find(0x1000 + 16 * kCount).node, 0u);
  EXPECT_TRUE(rows.ok());
}

TEST(RowFinderTest, SkipsBlocks) {
  constexpr uint32_t kCount = 50 * kRowsPerBlock;
  const std::string index = IndexOfRows(kCount);
  RowFinder rows = FinderIn(index, kCount + 1, 0x1000);
  for (const uint32_t i : {0u, 1u, 700u, 701u, kCount - 1}) {
    rows.Prefetch(0x1000 + 16 * i);
    EXPECT_EQ(rows.Find(0x1000 + 16 * i).column, i);
  }
}

TEST(RowFinderTest, HasNoNodeInAGap) {
  const std::string index = SmallIndex();
  RowFinder rows = FinderIn(index, 8, 0x1000);
  EXPECT_NE(rows.Find(0x1020).node, 0u);
  EXPECT_EQ(rows.Find(0x1030).node, 0u);
  EXPECT_NE(rows.Find(0x2000).node, 0u);
  EXPECT_EQ(rows.Find(0x2010).node, 0u);
  EXPECT_TRUE(rows.ok());
}

TEST(RowFinderTest, FindsNothingWithoutRows) {
  RowFinder rows({}, {}, {}, 0, 0);
  EXPECT_EQ(rows.Find(0x1000).node, 0u);
  EXPECT_TRUE(rows.ok());
}

TEST(RowFinderTest, NoticesDamage) {
  const std::string index = SmallIndex();
  // More rows than there are blocks for.
  EXPECT_FALSE(FinderIn(index, 8 + kRowsPerBlock, 0x1000).ok());
  // Rows that are cut off.
  RowFinder rows(SectionIn(index, IndexSection::kBlockStarts),
                 SectionIn(index, IndexSection::kBlockOffsets),
                 SectionIn(index, IndexSection::kRows).first(9), 8, 0x1000);
  rows.Find(0x2000);
  EXPECT_FALSE(rows.ok());
}

}  // namespace
}  // namespace heapprof
