// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/key_map.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(KeyMapTest, HasZeroForANewKey) {
  KeyMap map;
  EXPECT_EQ(map.At(7), 0u);
  EXPECT_EQ(map.size(), 1u);
}

TEST(KeyMapTest, FindsEveryValueAfterItHasGrown) {
  constexpr uint32_t kCount = 10'000;
  KeyMap map;
  // Keys that differ only in high or only in low bits, and 0.
  const auto key = [](uint32_t i) {
    return i % 2 == 0 ? uint64_t{i} : uint64_t{i} << 40;
  };
  for (uint32_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(map.At(key(i)), 0u) << i;
    map.At(key(i)) = i + 1;
  }
  EXPECT_EQ(map.size(), kCount);
  for (uint32_t i = 0; i < kCount; ++i) ASSERT_EQ(map.At(key(i)), i + 1) << i;
}

}  // namespace
}  // namespace heapprof
