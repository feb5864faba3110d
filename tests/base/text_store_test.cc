// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_store.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// Texts of all sizes, including those too long for a shared block.
std::vector<std::string> Texts() {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 2000; ++i) texts.emplace_back(i % 700, 'a' + i % 26);
  for (const size_t size : {0x10000u, 0x10001u, 0x50000u, 1u, 0u})
    texts.emplace_back(size, 'z');
  return texts;
}

TEST(TextStoreTest, KeepsTextsWhereTheyAre) {
  const std::vector<std::string> texts = Texts();
  TextStore store;
  std::vector<std::string_view> kept;
  for (const std::string& text : texts) kept.push_back(store.Add(text));
  const TextStore moved = std::move(store);
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(kept[i], texts[i]) << i;
}

TEST(TextStoreTest, AdoptsTextsOfAnother) {
  const std::vector<std::string> texts = Texts();
  TextStore store;
  std::vector<std::string_view> kept;
  for (const std::string& text : texts) {
    TextStore other;
    kept.push_back(other.Add(text));
    // Later texts go elsewhere.
    store.Add("x");
    store.Adopt(std::move(other));
    store.Add("x");
  }
  for (size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(kept[i], texts[i]) << i;
}

TEST(TextStoreTest, ReturnsRoomForTheCallerToFill) {
  TextStore store;
  const std::string_view before = store.Add("before");
  const std::span<char> room = store.Make(3);
  const std::string_view after = store.Add("after");
  ASSERT_EQ(room.size(), 3u);
  room[0] = room[1] = room[2] = 'm';
  EXPECT_EQ(before, "before");
  EXPECT_EQ(after, "after");
}

}  // namespace
}  // namespace heapprof
