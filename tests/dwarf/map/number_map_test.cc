// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/number_map.h"

#include <cstdint>
#include <random>
#include <unordered_map>
#include <utility>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(NumberMapTest, NumbersKeysInTheOrderOfTheirFirstUse) {
  NumberMap map;
  EXPECT_EQ(map.Add(70), std::pair(0u, true));
  EXPECT_EQ(map.Add(0), std::pair(1u, true));
  EXPECT_EQ(map.Add(70), std::pair(0u, false));
  EXPECT_EQ(map.Add(UINT64_MAX), std::pair(2u, true));
  EXPECT_EQ(map.size(), 3u);
}

TEST(NumberMapTest, AgreesWithAnUnorderedMap) {
  NumberMap map;
  std::unordered_map<uint64_t, uint32_t> expected;
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t key = random() % 5000 * 64;
    const auto next = static_cast<uint32_t>(expected.size());
    const auto [at, is_new] = expected.try_emplace(key, next);
    map.Prefetch(key);
    EXPECT_EQ(map.Add(key), std::pair(at->second, is_new));
  }
  EXPECT_EQ(map.size(), expected.size());
}

}  // namespace
}  // namespace heapprof
