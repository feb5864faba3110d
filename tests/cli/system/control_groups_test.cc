// SPDX-License-Identifier: Apache-2.0
#include "cli/system/control_groups.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "cli/system/root_folder.h"

namespace heapprof {
namespace {

uint64_t MemoryIn(const RootFolder& root) {
  return MemoryOfGroups(root.path());
}

double ProcessorsIn(const RootFolder& root) {
  return ProcessorsOfGroups(root.path());
}

void ExpectNoLimit(const RootFolder& root) {
  EXPECT_EQ(MemoryIn(root), UINT64_MAX);
  EXPECT_TRUE(std::isinf(ProcessorsIn(root)));
}

TEST(ControlGroupsTest, LimitNothingIfThereAreNone) {
  ExpectNoLimit(RootFolder());
}

TEST(ControlGroupsTest, OfVersion2LimitTheGroupsInThem) {
  const RootFolder root;
  const auto put = [&root](std::string_view file, std::string_view text) {
    root.Put("sys/fs/cgroup/" + std::string(file), text);
  };
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("proc/self/cgroup", "0::/user.slice/job.scope\n");
  ExpectNoLimit(root);
  put("user.slice/job.scope/memory.max", "max\n");
  put("user.slice/job.scope/cpu.max", "max 100000\n");
  ExpectNoLimit(root);
  put("user.slice/memory.max", "4000\n");
  put("user.slice/cpu.max", "350000 100000\n");
  EXPECT_EQ(MemoryIn(root), 4000u);
  EXPECT_EQ(ProcessorsIn(root), 3.5);
  put("user.slice/job.scope/memory.max", "400\n");
  put("user.slice/job.scope/cpu.max", "25000 50000\n");
  EXPECT_EQ(MemoryIn(root), 400u);
  EXPECT_EQ(ProcessorsIn(root), 0.5);
  put("user.slice/job.scope/memory.max", "9000\n");
  put("user.slice/job.scope/cpu.max", "25000 0\n");
  EXPECT_EQ(MemoryIn(root), 4000u);
  EXPECT_EQ(ProcessorsIn(root), 3.5);
}

TEST(ControlGroupsTest, OfVersion1AreThoseOfTheController) {
  const RootFolder root;
  root.Put("proc/self/mountinfo",
           "31 24 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
           "32 24 0:28 / /cg/memory rw - cgroup cgroup rw,memory\n");
  root.Put("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/a:b\n0::/\n");
  root.Put("cg/cpu/other/memory.limit_in_bytes", "4\n");
  root.Put("cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.Put("cg/cpu/other/cpu.cfs_period_us", "100000\n");
  root.Put("cg/cpu/other/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(MemoryIn(root), 9223372036854771712u);
  EXPECT_TRUE(std::isinf(ProcessorsIn(root)));
  root.Put("cg/memory/a:b/memory.limit_in_bytes", "4000\n");
  root.Put("cg/cpu/other/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(MemoryIn(root), 4000u);
  EXPECT_EQ(ProcessorsIn(root), 2);
}

// In a container, the mounted group is the top, although the path names it.
TEST(ControlGroupsTest, AreFoundInAContainer) {
  const RootFolder root;
  root.Put("proc/self/mountinfo",
           "32 24 0:28 /docker/1f /cg/memory ro - cgroup cgroup rw,memory\n");
  root.Put("proc/self/cgroup", "4:memory:/docker/1f\n");
  root.Put("cg/memory/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(MemoryIn(root), 4000u);
}

TEST(ControlGroupsTest, LimitNothingByFilesThatAreNotUnderstood) {
  const RootFolder root;
  root.Put("proc/self/cgroup", "0::\n::\nx\n");
  root.Put("proc/self/mountinfo", " - \n - cgroup2\n1 2 3 / - cgroup2 c rw\n");
  ExpectNoLimit(root);
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("sys/fs/cgroup/memory.max", "much\n");
  root.Put("sys/fs/cgroup/cpu.max", "much 100000\n");
  ExpectNoLimit(root);
}

}  // namespace
}  // namespace heapprof
