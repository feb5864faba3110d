// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/shared_seeds.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(SharedSeedVarianceTest, TreatsEqualThreadsOnOneStackAsOneLargeThread) {
  // n threads with equal errors have n^2 times the variance of one.
  EXPECT_EQ(SharedSeedVariance({5, 5, 5, 5}, 1), (3 * 3 - 3) * 5);
}

TEST(SharedSeedVarianceTest, UsesTheSmallerVarianceOfEachPairOfThreads) {
  EXPECT_EQ(SharedSeedVariance({1, 0, 4, 2}, 1), 2 * (2 + 1 + 1));
}

TEST(SharedSeedVarianceTest, IsZeroIfNoStackWasSharedOrTheirNumberIsUnknown) {
  EXPECT_EQ(SharedSeedVariance({5, 5, 5, 5}, 3), 0);
  EXPECT_EQ(SharedSeedVariance({5, 5, 5, 5}, 100), 0);
  EXPECT_EQ(SharedSeedVariance({5, 5, 5, 5}, 0), 0);
  EXPECT_EQ(SharedSeedVariance({}, 1), 0);
  EXPECT_EQ(SharedSeedVariance({5, 5}, 1), 0);
}

TEST(SharedSeedVarianceTest, LeavesTheSmallestThreadsTheirOwnStacks) {
  // Five threads and two stacks: the main thread needs none, another uses one,
  // and the other three may share the second.
  EXPECT_EQ(SharedSeedVariance({9, 1, 8, 2, 7}, 2), 2 * (8 + 7 + 7));
}

}  // namespace
}  // namespace heapprof
