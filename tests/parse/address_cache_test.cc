// SPDX-License-Identifier: Apache-2.0
#include "parse/address_cache.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

// Texts of all lengths, including some that differ in only one character; more
// than the cache holds.
std::vector<std::string> ManyTexts() {
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < 100'000; ++i)
    texts.push_back(fmt::format("0x{:x}", (i << (i % 40)) | i));
  return texts;
}

TEST(AddressCacheTest, FindsTheLastAddresses) {
  AddressCache cache;
  uint32_t number = 0;
  for (const std::string& text : ManyTexts()) {
    const auto token = TextScanner(text).PeekToken();
    cache.Put(token, LocationId{++number});
    ASSERT_EQ(cache.Find(token), LocationId{number}) << text;
  }
}

TEST(AddressCacheTest, ForgetsButNeverConfuses) {
  const std::vector<std::string> texts = ManyTexts();
  AddressCache cache;
  for (uint32_t i = 0; i < texts.size(); ++i)
    cache.Put(TextScanner(texts[i]).PeekToken(), LocationId{i + 1});
  size_t known = 0;
  for (const std::string& text : texts) {
    const LocationId found = cache.Find(TextScanner(text).PeekToken());
    if (found == LocationId()) continue;
    ++known;
    ASSERT_EQ(texts[found.value - 1], text);
  }
  EXPECT_GT(known, 10'000u);
  EXPECT_LT(known, texts.size());
  EXPECT_EQ(cache.Find(TextScanner("0x").PeekToken()), LocationId());
  EXPECT_EQ(cache.Find(TextScanner("").PeekToken()), LocationId());
}

}  // namespace
}  // namespace heapprof
