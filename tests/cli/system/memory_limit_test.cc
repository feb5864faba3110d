// SPDX-License-Identifier: Apache-2.0
#include "cli/system/memory_limit.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "cli/system/root_folder.h"

namespace heapprof {
namespace {

TEST(DefaultMemoryLimitTest, IsThreeQuartersOfTheMachineOrItsGroup) {
  constexpr uint64_t kMachine = 8000;
  const RootFolder root;
  EXPECT_EQ(DefaultMemoryLimit(kMachine, root.path()), 6000u);
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("sys/fs/cgroup/memory.max", "4000\n");
  EXPECT_EQ(DefaultMemoryLimit(kMachine, root.path()), 3000u);
  root.Put("sys/fs/cgroup/memory.max", "9000\n");
  EXPECT_EQ(DefaultMemoryLimit(kMachine, root.path()), 6000u);
}

}  // namespace
}  // namespace heapprof
