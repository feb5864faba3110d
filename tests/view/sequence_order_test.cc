// SPDX-License-Identifier: Apache-2.0
#include "view/sequence_order.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<uint32_t> Sorted(const std::vector<std::vector<uint32_t>>& all) {
  const std::vector<std::span<const uint32_t>> sequences(all.begin(),
                                                         all.end());
  return OrderOf(sequences);
}

TEST(SequenceOrderTest, IsLexicographicAndStable) {
  EXPECT_THAT(Sorted({}), IsEmpty());
  EXPECT_THAT(Sorted({{}, {7}, {}}), ElementsAre(0, 2, 1));
  EXPECT_THAT(Sorted({{1, 3}, {1, 2, 9}, {1}, {UINT32_MAX}, {1, 2}, {1, 3}}),
              ElementsAre(2, 4, 1, 0, 5, 3));
}

TEST(SequenceOrderTest, AgreesWithAComparisonSort) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::vector<uint32_t>> all(random() % 60);
    for (auto& sequence : all) {
      // Many begin like another.
      sequence = all[random() % all.size()];
      sequence.resize(random() % (sequence.size() + 1));
      for (size_t more = random() % 6; more > 0; --more)
        sequence.push_back(static_cast<uint32_t>(random() % 3));
    }
    std::vector<uint32_t> expected(all.size());
    std::iota(expected.begin(), expected.end(), 0u);
    std::ranges::stable_sort(
        expected, [&](uint32_t a, uint32_t b) { return all[a] < all[b]; });
    EXPECT_EQ(Sorted(all), expected);
  }
}

TEST(SequenceOrderTest, TakesLongSequences) {
  constexpr size_t kLength = 100'000;
  std::vector<std::vector<uint32_t>> all;
  for (uint32_t i = 0; i < 50; ++i) {
    all.emplace_back(kLength - i * 1000, 5u);
    all.back().push_back(i % 2 == 0 ? 4 : 6);
  }
  const std::vector<uint32_t> order = Sorted(all);
  EXPECT_TRUE(std::ranges::is_sorted(
      order, [&](uint32_t a, uint32_t b) { return all[a] < all[b]; }));
  std::vector<uint32_t> each(all.size());
  std::iota(each.begin(), each.end(), 0u);
  EXPECT_TRUE(std::ranges::is_permutation(order, each));
}

}  // namespace
}  // namespace heapprof
