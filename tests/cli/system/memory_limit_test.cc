// SPDX-License-Identifier: Apache-2.0
#include "cli/system/memory_limit.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "cli/system/root_folder.h"

namespace heapprof {
namespace {

constexpr uint64_t kMachine = 8000;

uint64_t LimitIn(const RootFolder& root) {
  return DefaultMemoryLimit(kMachine, root.path());
}

TEST(DefaultMemoryLimitTest, IsThreeQuartersOfTheMachine) {
  EXPECT_EQ(LimitIn(RootFolder()), 6000u);
}

TEST(DefaultMemoryLimitTest, ReadsTheGroupOfVersion2AndThoseAroundIt) {
  const RootFolder root;
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("proc/self/cgroup", "0::/user.slice/job.scope\n");
  EXPECT_EQ(LimitIn(root), 6000u);
  root.Put("sys/fs/cgroup/user.slice/job.scope/memory.max", "max\n");
  EXPECT_EQ(LimitIn(root), 6000u);
  root.Put("sys/fs/cgroup/user.slice/memory.max", "4000\n");
  EXPECT_EQ(LimitIn(root), 3000u);
  root.Put("sys/fs/cgroup/user.slice/job.scope/memory.max", "400\n");
  EXPECT_EQ(LimitIn(root), 300u);
  root.Put("sys/fs/cgroup/user.slice/job.scope/memory.max", "9000\n");
  EXPECT_EQ(LimitIn(root), 3000u);
}

TEST(DefaultMemoryLimitTest, ReadsTheGroupOfVersion1) {
  const RootFolder root;
  root.Put("proc/self/mountinfo",
           "31 24 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
           "32 24 0:28 / /cg/memory rw - cgroup cgroup rw,memory\n");
  root.Put("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/a:b\n0::/\n");
  root.Put("cg/cpu/other/memory.limit_in_bytes", "4\n");
  root.Put("cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(LimitIn(root), 6000u);
  root.Put("cg/memory/a:b/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(LimitIn(root), 3000u);
}

// In a container, the mounted group is the top, although the path names it.
TEST(DefaultMemoryLimitTest, ReadsTheGroupOfAContainer) {
  const RootFolder root;
  root.Put("proc/self/mountinfo",
           "32 24 0:28 /docker/1f /cg/memory ro - cgroup cgroup rw,memory\n");
  root.Put("proc/self/cgroup", "4:memory:/docker/1f\n");
  root.Put("cg/memory/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(LimitIn(root), 3000u);
}

TEST(DefaultMemoryLimitTest, IgnoresFilesThatItDoesNotUnderstand) {
  const RootFolder root;
  root.Put("proc/self/cgroup", "0::\n::\nx\n");
  root.Put("proc/self/mountinfo", " - \n - cgroup2\n1 2 3 / - cgroup2 c rw\n");
  EXPECT_EQ(LimitIn(root), 6000u);
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("sys/fs/cgroup/memory.max", "much\n");
  EXPECT_EQ(LimitIn(root), 6000u);
}

}  // namespace
}  // namespace heapprof
