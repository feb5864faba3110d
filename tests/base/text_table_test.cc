// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_table.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(TextTableTest, WritesTextsOfAllSizes) {
  TextTable table;
  std::vector<std::string> texts;
  for (size_t size = 0; size <= 3 * TextTable::kChunk; ++size)
    texts.emplace_back(size, static_cast<char>('a' + size % 26));
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(table.Add(texts[i]), i);
  for (size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(table.SizeOf(i), texts[i].size());
    std::string written(texts[i].size() + TextTable::kChunk, '-');
    const char* const end = table.Write(i, written.data());
    EXPECT_EQ(std::string_view(written.data(), end), texts[i]);
  }
}

TEST(TextTableTest, WritesOneTextAfterTheOther) {
  TextTable table;
  table.Add("main", ";");
  table.Add("");
  table.Add("std::vector<int>::push_back;");
  std::string written(64 + TextTable::kChunk, '-');
  char* end = written.data();
  for (const size_t i : {0u, 2u, 1u, 0u}) end = table.Write(i, end);
  EXPECT_EQ(std::string_view(written.data(), end),
            "main;std::vector<int>::push_back;main;");
}

}  // namespace
}  // namespace heapprof
