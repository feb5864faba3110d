// SPDX-License-Identifier: Apache-2.0
#include "parse/mixed_sizes.h"

#include <gtest/gtest.h>

#include "heapprof/stats/unbias.h"

namespace heapprof {
namespace {

constexpr double kR = 65536;

// 100 samples of tiny objects, and 100 of objects of four periods, which are
// 500 periods.
constexpr Count kMixed = {.objects = 200, .bytes = 100 * (4 * 65536 + 8)};

double MissingOf(const Count& live, const Count& header) {
  MixedSizes sizes;
  sizes.Add(live,
            Unbias(static_cast<double>(live.objects),
                   static_cast<double>(live.bytes), kR)
                .bytes,
            kR);
  return sizes.Missing(header);
}

TEST(MixedSizesTest, KnowsTheMostThatAMeanSizeHides) {
  const double estimate = Unbias(200, 100 * (4 * kR + 8), kR).bytes.value;
  EXPECT_LT(estimate, 470 * kR);
  EXPECT_NEAR(estimate + MissingOf(kMixed, kMixed), 600 * kR, 1000);
}

TEST(MixedSizesTest, ObjectsOfOneSizeHideNothing) {
  for (const uint64_t size :
       {8U, 16U, 48U, 128U, 160U, 320U, 16384U, 81920U, 262144U}) {
    const Count one = {.objects = 1000, .bytes = 1000 * size};
    EXPECT_EQ(MissingOf(one, one), 0) << size;
  }
  const Count other = {.objects = 1000, .bytes = 1000 * 81921};
  EXPECT_GT(MissingOf(other, other), 0);
}

// There is no larger power of two.
TEST(MixedSizesTest, TakesSizesOfAllBits) {
  for (const uint64_t size : {(uint64_t{1} << 63) + 1, UINT64_MAX}) {
    const Count damaged = {.objects = 1, .bytes = size};
    EXPECT_EQ(MissingOf(damaged, damaged), 0) << size;
  }
}

// Few samples have error bounds that include what is missing.
TEST(MixedSizesTest, LeavesTheRestToTheErrorBounds) {
  const Count few = {.objects = 4, .bytes = 2 * (4 * 65536 + 8)};
  EXPECT_EQ(MissingOf(few, few), 0);
}

TEST(MixedSizesTest, IgnoresWhatIsHardlyAnything) {
  constexpr uint64_t kObjects = 1000, kSize = 200 * 65536 + 8;
  const Count large = {.objects = kObjects, .bytes = kObjects * kSize};
  EXPECT_EQ(MissingOf(large, large), 0);
}

// From 5.3 on, records do not add up to the header.
TEST(MixedSizesTest, IsOnlyForRecordsThatAddUp) {
  EXPECT_EQ(MissingOf(kMixed, {.objects = 100, .bytes = kMixed.bytes}), 0);
  EXPECT_EQ(MissingOf(kMixed, {.objects = 200, .bytes = 1}), 0);
  MixedSizes all;
  MixedSizes piece;
  piece.Add(kMixed, Unbias(200, static_cast<double>(kMixed.bytes), kR).bytes,
            kR);
  all.Add(piece);
  all.Add(piece);
  EXPECT_GT(all.Missing({.objects = 400, .bytes = 2 * kMixed.bytes}), 0);
  EXPECT_EQ(all.Missing(kMixed), 0);
}

}  // namespace
}  // namespace heapprof
