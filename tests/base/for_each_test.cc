// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/for_each.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ForEachInBlocksTest, CallsEachNumberOnce) {
  for (const size_t count : {0, 1, 5, 6, 23}) {
    std::vector<int> calls(count);
    ForEachInBlocks(count, 5, 3, [&](size_t i) { ++calls.at(i); });
    EXPECT_THAT(calls, testing::Each(1)) << count;
  }
}

class ForEachInTurnTest : public testing::TestWithParam<unsigned> {};

TEST_P(ForEachInTurnTest, TakesResultsInOrder) {
  constexpr size_t kCount = 200;
  std::vector<size_t> results(kCount);
  std::vector<size_t> taken;
  const bool took_all = ForEachInTurn(
      kCount, GetParam(),
      [&](size_t i) {
        // Every eighth task takes longest.
        if (i % 8 == 0)
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        results[i] = i + 1;
      },
      [&](size_t i) {
        taken.push_back(results[i]);
        return true;
      });
  EXPECT_TRUE(took_all);
  std::vector<size_t> expected(kCount);
  std::iota(expected.begin(), expected.end(), 1);
  EXPECT_EQ(taken, expected);
}

TEST_P(ForEachInTurnTest, StopsWhenTakeReturnsFalse) {
  constexpr size_t kCount = 100'000;
  std::atomic<size_t> worked = 0;
  std::vector<size_t> taken;
  EXPECT_FALSE(ForEachInTurn(
      kCount, GetParam(),
      [&](size_t) {
        ++worked;
        std::this_thread::sleep_for(std::chrono::microseconds(10));
      },
      [&](size_t i) {
        taken.push_back(i);
        return i < 2;
      }));
  EXPECT_THAT(taken, testing::ElementsAre(0, 1, 2));
  EXPECT_LT(worked, kCount / 2);
}

TEST_P(ForEachInTurnTest, IsNotTooFarAhead) {
  constexpr size_t kCount = 2000, kMost = 3;
  std::atomic<size_t> waiting = 0, most = 0;
  size_t taken = 0;
  ForEachInTurn(
      kCount, GetParam(),
      [&](size_t) {
        const size_t now = ++waiting;
        size_t known = most;
        while (known < now && !most.compare_exchange_weak(known, now)) {
        }
      },
      [&](size_t) {
        --waiting;
        return ++taken > 0;
      },
      kMost);
  EXPECT_EQ(taken, kCount);
  EXPECT_LE(most, kMost);
}

TEST_P(ForEachInTurnTest, DoesNothingForZeroTasks) {
  EXPECT_TRUE(ForEachInTurn(
      0, GetParam(), [](size_t) { ADD_FAILURE(); },
      [](size_t) { return false; }));
}

INSTANTIATE_TEST_SUITE_P(Jobs, ForEachInTurnTest, testing::Values(1, 2, 5));

}  // namespace
}  // namespace heapprof
