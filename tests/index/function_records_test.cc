// SPDX-License-Identifier: Apache-2.0
#include "index/function_records.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/index_testing.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

FunctionRecords RecordsIn(std::string_view index) {
  return FunctionRecords(SectionIn(index, IndexSection::kInfo),
                         SectionIn(index, IndexSection::kFunctions),
                         SectionIn(index, IndexSection::kVariants));
}

TEST(FunctionRecordsTest, ReadsEveryFunction) {
  const std::string index = SmallIndex();
  const FunctionRecords records = RecordsIn(index);
  ASSERT_EQ(records.function_count(), 3u);
  EXPECT_EQ(records.variant_count(), 0u);
  // Functions are numbered by use: find them by their start lines.
  std::map<uint32_t, FunctionRecord> by_line;
  for (uint32_t number = 0; number < 3; ++number) {
    FunctionRecord record;
    ASSERT_TRUE(records.Read(number, record));
    EXPECT_EQ(record.number, number);
    EXPECT_FALSE(records.IsVariant(number));
    by_line[record.start_line] = record;
  }
  ASSERT_EQ(by_line.size(), 3u);
  EXPECT_TRUE(by_line.at(20).is_scoped);
  EXPECT_FALSE(by_line.at(10).is_scoped);
  EXPECT_NE(by_line.at(20).file, by_line.at(10).file);
  EXPECT_EQ(by_line.at(30).file, by_line.at(10).file);
  FunctionRecord record;
  EXPECT_FALSE(records.Read(3, record));
}

TEST(FunctionRecordsTest, ReadsVariantsAsTheirFunctions) {
  CodeMap map = SmallMap();
  map.nodes[1].group = 4;
  map.nodes[3].group = 4;
  const auto index = EncodeIndex(SmallKey(), &map);
  ASSERT_TRUE(index);
  const FunctionRecords records = RecordsIn(*index);
  EXPECT_EQ(records.function_count(), 3u);
  ASSERT_EQ(records.variant_count(), 2u);
  std::set<uint32_t> lines;
  for (uint32_t number = 3; number < 5; ++number) {
    FunctionRecord record;
    ASSERT_TRUE(records.IsVariant(number));
    ASSERT_TRUE(records.Read(number, record));
    EXPECT_LT(record.number, 3u);
    EXPECT_EQ(records.GroupOf(number), 1u);
    lines.insert(record.start_line);
  }
  EXPECT_THAT(lines, ElementsAre(20, 30));
  FunctionRecord record;
  EXPECT_FALSE(records.Read(5, record));
}

TEST(FunctionRecordsTest, HasNoFunctionsWithoutRecordSizes) {
  const FunctionRecords records({}, BytesOf("abcd"), {});
  EXPECT_EQ(records.function_count(), 0u);
  FunctionRecord record;
  EXPECT_FALSE(records.Read(0, record));
}

}  // namespace
}  // namespace heapprof
