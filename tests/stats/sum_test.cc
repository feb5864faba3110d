// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/sum.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CancellingSumTest, IsZeroWhereOnlyRoundingIsLeft) {
  CancellingSum sum;
  for (const double term : {0.1, 0.2, 0.3, -0.3, -0.2, -0.1}) sum.Add(term);
  EXPECT_EQ(sum.value(), 0);
  sum.Add(1e-6);
  EXPECT_NEAR(sum.value(), 1e-6, 1e-12);
}

TEST(CancellingSumTest, TakesTheSizesOfNumbersThatWereSubtracted) {
  CancellingSum sum;
  sum.Add(0.5, 2e12);
  EXPECT_EQ(sum.value(), 0);
  sum.Add(1000, 1000);
  EXPECT_EQ(sum.value(), 1000.5);
}

TEST(CancellingSumTest, KeepsSmallNumbersThatNothingCancels) {
  CancellingSum sum;
  EXPECT_EQ(sum.value(), 0);
  sum.Add(1e-300);
  EXPECT_EQ(sum.value(), 1e-300);
}

}  // namespace
}  // namespace heapprof
