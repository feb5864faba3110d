// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/helper_thread.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

#include <gtest/gtest.h>

#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

TEST(HelperThreadTest, IsWaitedFor) {
  bool is_done = false;
  {
    const HelperThread helper([&] { is_done = true; });
  }
  EXPECT_TRUE(is_done);
}

// The system may have moved a few threads since they started.
TEST(HelperThreadTest, StartsOnAnotherProcessor) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  if (CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "one processor";
  constexpr int kStarts = 40;
  int elsewhere = 0;
  for (int i = 0; i < kStarts; ++i) {
    // Other processors that become idle may look busy to the scheduler.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> processor = -1;
    const HelperThread helper([&] { processor = sched_getcpu(); });
    while (processor < 0) {
    }
    if (processor != sched_getcpu()) ++elsewhere;
  }
  EXPECT_GT(elsewhere, kStarts / 2);
}

// The other processor may be busy for long.
TEST(HelperThreadTest, BeginsHereIfItIsWaitedForBefore) {
  constexpr int kStarts = 40;
  int here = 0;
  for (int i = 0; i < kStarts; ++i) {
    std::atomic<int> processor = -1;
    {
      const HelperThread helper([&] { processor = sched_getcpu(); });
    }
    if (processor == sched_getcpu()) ++here;
  }
  EXPECT_GT(here, kStarts / 2);
}

TEST(HelperThreadTest, MayRunWhereItsStarterMay) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  cpu_set_t allowed_there;
  {
    const HelperThread helper(
        [&] { sched_getaffinity(0, sizeof(allowed_there), &allowed_there); });
  }
  EXPECT_TRUE(CPU_EQUAL(&allowed, &allowed_there));
}

// A process that may run on only one processor has helpers, too.
TEST(HelperThreadTest, RunsOnTheOnlyProcessor) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  bool is_done = false;
  {
    const HelperThread helper([&] { is_done = true; });
  }
  EXPECT_EQ(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
  EXPECT_TRUE(is_done);
}

// With stacks larger than any memory.
TEST(HelperThreadTest, DoesNothingIfNoThreadCanStart) {
  pthread_attr_t usual;
  ASSERT_EQ(pthread_getattr_default_np(&usual), 0);
  pthread_attr_t huge = usual;
  ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t{1} << 50), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  bool is_done = false;
  {
    const HelperThread helper([&] { is_done = true; });
  }
  size_t count = 0;
  ForEach(10, 4, [&](size_t) { ++count; });
  EXPECT_EQ(pthread_setattr_default_np(&usual), 0);
  EXPECT_FALSE(is_done);
  EXPECT_EQ(count, 10u);
}

}  // namespace
}  // namespace heapprof
