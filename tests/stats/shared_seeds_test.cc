// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/shared_seeds.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(SharedSeedVarianceTest, TreatsEqualThreadsAsOneLargeThread) {
  // n threads with equal errors have n^2 times the variance of one.
  EXPECT_EQ(SharedSeedVariance({5, 5, 5}, 3), (3 * 3 - 3) * 5);
  EXPECT_EQ(SharedSeedVariance({5, 5, 5}, 100), (3 * 3 - 3) * 5);
}

TEST(SharedSeedVarianceTest, UsesTheSmallerVarianceOfEachPairOfThreads) {
  EXPECT_EQ(SharedSeedVariance({1, 0, 4, 2}, 4), 2 * (2 + 1 + 1));
}

TEST(SharedSeedVarianceTest, LeavesTheSmallestThreadsTheirOwnSeeds) {
  EXPECT_EQ(SharedSeedVariance({9, 1, 8, 2, 7}, 3), 2 * (8 + 7 + 7));
}

TEST(SharedSeedVarianceTest, IsZeroIfNoThreadsShareASeed) {
  EXPECT_EQ(SharedSeedVariance({5, 5, 5, 5}, 0), 0);
  EXPECT_EQ(SharedSeedVariance({}, 3), 0);
  EXPECT_EQ(SharedSeedVariance({5}, 3), 0);
}

TEST(MostThreadsWithOneSeedTest, GivesAllStacksButOneASingleThread) {
  // The main thread needs none of the two stacks, and another thread uses one.
  EXPECT_EQ(MostThreadsWithOneSeed(5, 2), 3);
}

TEST(MostThreadsWithOneSeedTest, IsZeroIfEachThreadHasAStackOrNoneIsKnown) {
  EXPECT_EQ(MostThreadsWithOneSeed(4, 3), 0);
  EXPECT_EQ(MostThreadsWithOneSeed(4, 100), 0);
  EXPECT_EQ(MostThreadsWithOneSeed(4, 0), 0);
}

}  // namespace
}  // namespace heapprof
