// SPDX-License-Identifier: Apache-2.0
//
// The sorts of a build without Boost. Those with Boost are tested where they
// are used, in symbolize and index.
#include "heapprof/base/fast_sort.h"

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(FastSortTest, SortsByNumber) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> numbers = {0, UINT64_MAX};
  for (int i = 0; i < 100'000; ++i)
    numbers.push_back(random() >> random() % 64);
  std::vector<uint64_t> expected = numbers;
  std::ranges::sort(expected);
  SortByNumber(numbers.begin(), numbers.end(), std::identity());
  EXPECT_EQ(numbers, expected);
}

TEST(FastSortTest, SortsByTextAsBytes) {
  std::mt19937_64 random(5);
  std::vector<std::string> texts = {"", "", "a", "\xff", std::string(1, '\0')};
  for (int i = 0; i < 20'000; ++i)
    texts.push_back("prefix::of::all::" + std::to_string(random() % 50'000) +
                    static_cast<char>(random()));
  std::vector<std::string> expected = texts;
  std::ranges::sort(expected);
  SortByText(texts.begin(), texts.end(),
             [](const std::string& text) { return std::string_view(text); });
  EXPECT_EQ(texts, expected);
}

}  // namespace
}  // namespace heapprof
