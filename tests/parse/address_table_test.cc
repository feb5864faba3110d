// SPDX-License-Identifier: Apache-2.0
#include "parse/address_table.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(AddressTableTest, FindsWhatWasAddedAcrossGrowth) {
  AddressTable table;
  std::vector<std::string> texts;
  // All lengths, and neighbours that differ in one character only.
  for (uint64_t i = 0; i < 3000; ++i)
    texts.push_back(fmt::format("0x{:x}", (i << (i % 40)) | i));
  for (uint32_t i = 0; i < texts.size(); ++i) {
    const auto token = TextScanner(texts[i]).PeekToken();
    if (table.Find(token) == LocationId()) table.Add(token, LocationId{i + 1});
  }
  for (const std::string& text : texts) {
    const LocationId found = table.Find(TextScanner(text).PeekToken());
    ASSERT_NE(found, LocationId()) << text;
    EXPECT_EQ(texts[found.value - 1], text);
  }
  EXPECT_EQ(table.Find(TextScanner("0x").PeekToken()), LocationId());
  EXPECT_EQ(table.Find(TextScanner("").PeekToken()), LocationId());
}

}  // namespace
}  // namespace heapprof
