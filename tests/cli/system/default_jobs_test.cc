// SPDX-License-Identifier: Apache-2.0
#include "cli/system/default_jobs.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "cli/system/root_folder.h"

namespace heapprof {
namespace {

constexpr uint64_t kMebibyte = 1 << 20;

unsigned JobsIn(const RootFolder& root) {
  return DefaultJobs(64, UINT64_MAX, root.path());
}

TEST(DefaultJobsTest, IsOnePerProcessor) {
  EXPECT_EQ(JobsIn(RootFolder()), 64u);
  EXPECT_EQ(DefaultJobs(0, UINT64_MAX, RootFolder().path()), 1u);
}

TEST(DefaultJobsTest, IsLimitedByTheGroupOfVersion2AndThoseAroundIt) {
  const RootFolder root;
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("proc/self/cgroup", "0::/pods/one\n");
  root.Put("sys/fs/cgroup/pods/one/cpu.max", "max 100000\n");
  EXPECT_EQ(JobsIn(root), 64u);
  root.Put("sys/fs/cgroup/pods/cpu.max", "350000 100000\n");
  EXPECT_EQ(JobsIn(root), 4u);
  root.Put("sys/fs/cgroup/pods/one/cpu.max", "25000 50000\n");
  EXPECT_EQ(JobsIn(root), 1u);
  root.Put("sys/fs/cgroup/pods/one/cpu.max", "25000 0\n");
  EXPECT_EQ(JobsIn(root), 4u);
}

TEST(DefaultJobsTest, IsLimitedByTheGroupOfVersion1) {
  const RootFolder root;
  root.Put("proc/self/mountinfo",
           "31 24 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  root.Put("proc/self/cgroup", "5:cpu,cpuacct:/pod\n0::/\n");
  root.Put("cg/cpu/pod/cpu.cfs_period_us", "100000\n");
  root.Put("cg/cpu/pod/cpu.cfs_quota_us", "-1\n");
  EXPECT_EQ(JobsIn(root), 64u);
  root.Put("cg/cpu/pod/cpu.cfs_quota_us", "200000\n");
  EXPECT_EQ(JobsIn(root), 2u);
}

TEST(DefaultJobsTest, LeavesMemoryForMoreThanStacks) {
  const RootFolder root;
  EXPECT_EQ(DefaultJobs(64, 100 * kMebibyte, root.path()), 1u);
  EXPECT_EQ(DefaultJobs(64, 384 * kMebibyte, root.path()), 2u);
  EXPECT_EQ(DefaultJobs(64, 3072 * kMebibyte, root.path()), 16u);
  EXPECT_EQ(DefaultJobs(2, 3072 * kMebibyte, root.path()), 2u);
}

}  // namespace
}  // namespace heapprof
