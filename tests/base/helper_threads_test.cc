// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/helper_threads.h"

#include <atomic>
#include <cstddef>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(HelperThreadsTest, AreOneLessThanTheThreadsThatWork) {
  for (const size_t count : {0, 1, 2, 3, 7, 8, 50}) {
    std::atomic<size_t> calls = 0;
    {
      const HelperThreads helpers(count, [&] { ++calls; }, [] { return true; });
    }
    EXPECT_EQ(calls, count < 2 ? 0 : count - 1);
  }
}

TEST(HelperThreadsTest, DoNotStartWhenTheyAreNotNeeded) {
  std::atomic<size_t> calls = 0;
  std::atomic<size_t> asked = 0;
  {
    const HelperThreads helpers(
        1000, [&] { ++calls; }, [&] { return ++asked <= 3; });
  }
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace heapprof
