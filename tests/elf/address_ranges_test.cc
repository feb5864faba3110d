// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/address_ranges.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(AddressRangesTest, MergesAdjacentRangesAndDropsEmptyOnes) {
  const AddressRanges ranges({{30, 40}, {10, 20}, {20, 25}, {50, 50}, {9, 3}});
  EXPECT_FALSE(ranges.empty());
  for (uint64_t inside : {10U, 19U, 20U, 24U, 30U, 39U})
    EXPECT_TRUE(ranges.Contains(inside)) << inside;
  for (uint64_t outside : {0U, 3U, 9U, 25U, 29U, 40U, 50U})
    EXPECT_FALSE(ranges.Contains(outside)) << outside;
  EXPECT_TRUE(ranges.Overlaps(24, 30));
  EXPECT_TRUE(ranges.Overlaps(0, 100));
  EXPECT_FALSE(ranges.Overlaps(25, 30));
  EXPECT_FALSE(ranges.Overlaps(40, 100));
  EXPECT_TRUE(AddressRanges({{5, 5}}).empty());
}

}  // namespace
}  // namespace heapprof
