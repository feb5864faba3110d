// SPDX-License-Identifier: Apache-2.0
#include "index/content_hash.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ContentHashTest, DependsOnEveryBit) {
  std::vector<uint8_t> bytes(200);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i * i + 7);
  std::set<ContentHash> seen = {HashContent(bytes)};
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    EXPECT_TRUE(seen.insert(HashContent(bytes)).second) << bit;
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  EXPECT_EQ(seen.count(HashContent(bytes)), 1u);
}

TEST(ContentHashTest, DependsOnTheLengthOfZeros) {
  const std::vector<uint8_t> zeros(300);
  std::set<ContentHash> seen;
  for (size_t size = 0; size <= zeros.size(); ++size)
    EXPECT_TRUE(seen.insert(HashContent({zeros.data(), size})).second) << size;
}

TEST(ContentHashTest, DependsOnTheOrderOfParts) {
  std::vector<uint8_t> bytes(256);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(i / 16);
  std::vector<uint8_t> swapped = bytes;
  std::swap_ranges(swapped.begin(), swapped.begin() + 64, swapped.begin() + 64);
  EXPECT_NE(HashContent(bytes), HashContent(swapped));
  // The halves of a hash are not copies of each other.
  EXPECT_NE(HashContent(bytes)[0], HashContent(bytes)[1]);
}

// Content of more than 1 MiB is hashed in parts.
TEST(ContentHashTest, DependsOnEveryPartAndNotOnThreads) {
  constexpr size_t kSize = (size_t{5} << 20) + 17;
  std::vector<uint8_t> bytes(kSize);
  for (size_t i = 0; i < kSize; ++i) bytes[i] = static_cast<uint8_t>(i >> 13);
  std::set<ContentHash> seen = {HashContent(bytes, 1)};
  for (const unsigned jobs : {2u, 3u, 8u})
    EXPECT_EQ(seen.count(HashContent(bytes, jobs)), 1u) << jobs;
  for (size_t at = 0; at < kSize; at += (size_t{1} << 20) - 3) {
    bytes[at] ^= 1;
    EXPECT_TRUE(seen.insert(HashContent(bytes, 2)).second) << at;
    bytes[at] ^= 1;
  }
  std::vector<uint8_t> swapped = bytes;
  constexpr size_t kPart = size_t{1} << 20;
  std::swap_ranges(swapped.begin(), swapped.begin() + kPart,
                   swapped.begin() + kPart);
  EXPECT_TRUE(seen.insert(HashContent(swapped, 2)).second);
}

}  // namespace
}  // namespace heapprof
