// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an index. That they give the right answers is tested with
// IndexFile.
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "heapprof/base/little_endian_cursor.h"
#include "index/function_records.h"
#include "index/index_testing.h"

namespace heapprof {
namespace {

std::string_view TextIn(std::string_view index, IndexSection section) {
  const auto bytes = SectionIn(index, section);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(IndexWriterTest, WritesTheKeyAsItIs) {
  const std::string index = SmallIndex();
  EXPECT_EQ(index.substr(0, kIndexMagic.size()), kIndexMagic);
  EXPECT_EQ(TextIn(index, IndexSection::kKey), SmallKey().text);
  EXPECT_EQ(TextIn(index, IndexSection::kLabel), SmallKey().label);
  EXPECT_EQ(TextIn(index, IndexSection::kSplitFiles), SmallKey().split_files);
}

TEST(IndexWriterTest, PutsSectionsOneAfterTheOther) {
  const std::string index = SmallIndex();
  LittleEndianCursor header(BytesOf(index), kHashedFrom);
  EXPECT_EQ(header.U64(), index.size());
  uint64_t end = kIndexHeaderSize;
  for (size_t i = 0; i < kSectionCount; ++i) {
    EXPECT_EQ(header.U64(), end);
    end += header.U64();
  }
  EXPECT_EQ(end, index.size());
}

// The six rows of the map, and a row for the end of each range.
TEST(IndexWriterTest, EndsRangesWithARow) {
  const std::string index = SmallIndex();
  LittleEndianCursor info(SectionIn(index, IndexSection::kInfo));
  EXPECT_EQ(info.U64(), 8u);
  EXPECT_EQ(info.U64(), 0x1000u);
  CodeMap map = SmallMap();
  map.ranges[0].end = 0x2000;
  const auto without_gap = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(without_gap);
  info = LittleEndianCursor(SectionIn(*without_gap, IndexSection::kInfo));
  EXPECT_EQ(info.U64(), 7u);
}

TEST(IndexWriterTest, GivesLowNumbersToWhatIsUsedMost) {
  const std::string index = SmallIndex();
  const FunctionRecords records(SectionIn(index, IndexSection::kInfo),
                                SectionIn(index, IndexSection::kFunctions),
                                SectionIn(index, IndexSection::kVariants));
  FunctionRecord first;
  ASSERT_TRUE(records.Read(0, first));
  EXPECT_EQ(first.start_line, 20u);  // "inner", which has two nodes
}

TEST(IndexWriterTest, StartsABlockForEveryFewStrings) {
  CodeMap map;
  std::deque<std::string> names;
  for (size_t i = 0; i < 3 * kStringsPerBlock; ++i)
    names.push_back("name" + std::to_string(i));
  map.names = {names.begin(), names.end()};
  const auto index = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(index);
  // One more string is the empty file name.
  EXPECT_EQ(SectionIn(*index, IndexSection::kStringBlocks).size(),
            4 * sizeof(uint32_t));
}

TEST(IndexWriterTest, WritesNoRowsWithoutAMap) {
  const auto index = EncodeIndex(SmallKey(), nullptr);
  ASSERT_TRUE(index);
  EXPECT_TRUE(SectionIn(*index, IndexSection::kRows).empty());
  EXPECT_TRUE(SectionIn(*index, IndexSection::kNodes).empty());
}

}  // namespace
}  // namespace heapprof
