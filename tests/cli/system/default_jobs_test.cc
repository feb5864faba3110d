// SPDX-License-Identifier: Apache-2.0
#include "cli/system/default_jobs.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "cli/system/root_folder.h"

namespace heapprof {
namespace {

constexpr uint64_t kMebibyte = 1 << 20;

TEST(DefaultJobsTest, IsOnePerProcessorThatTheGroupAllows) {
  const RootFolder root;
  const auto jobs = [&root] {
    return DefaultJobs(64, UINT64_MAX, root.path());
  };
  EXPECT_EQ(jobs(), 64u);
  EXPECT_EQ(DefaultJobs(0, UINT64_MAX, root.path()), 1u);
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("sys/fs/cgroup/cpu.max", "350000 100000\n");
  EXPECT_EQ(jobs(), 4u);
  root.Put("sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_EQ(jobs(), 1u);
  root.Put("sys/fs/cgroup/cpu.max", "8000000 100000\n");
  EXPECT_EQ(jobs(), 64u);
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
