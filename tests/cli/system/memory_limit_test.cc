// SPDX-License-Identifier: Apache-2.0
#include "cli/system/memory_limit.h"

#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

constexpr uint64_t kMachine = 8000;

// A root folder in which a process of a control group finds its limit.
class Root {
 public:
  void Put(std::string_view path, std::string_view text) const {
    const std::filesystem::path file = folder_.Path(path);
    std::filesystem::create_directories(file.parent_path());
    WriteFile(file.string(), text);
  }
  uint64_t Limit() const {
    return DefaultMemoryLimit(kMachine, folder_.path());
  }

 private:
  TemporaryFolder folder_;
};

constexpr std::string_view kVersion2 =
    "24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda rw\n"
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

TEST(DefaultMemoryLimitTest, IsThreeQuartersOfTheMachine) {
  EXPECT_EQ(Root().Limit(), 6000u);
}

TEST(DefaultMemoryLimitTest, ReadsTheGroupOfVersion2AndThoseAroundIt) {
  const Root root;
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("proc/self/cgroup", "0::/user.slice/job.scope\n");
  EXPECT_EQ(root.Limit(), 6000u);
  root.Put("sys/fs/cgroup/user.slice/job.scope/memory.max", "max\n");
  EXPECT_EQ(root.Limit(), 6000u);
  root.Put("sys/fs/cgroup/user.slice/memory.max", "4000\n");
  EXPECT_EQ(root.Limit(), 3000u);
  root.Put("sys/fs/cgroup/user.slice/job.scope/memory.max", "400\n");
  EXPECT_EQ(root.Limit(), 300u);
  root.Put("sys/fs/cgroup/user.slice/job.scope/memory.max", "9000\n");
  EXPECT_EQ(root.Limit(), 3000u);
}

TEST(DefaultMemoryLimitTest, ReadsTheGroupOfVersion1) {
  const Root root;
  root.Put("proc/self/mountinfo",
           "31 24 0:27 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
           "32 24 0:28 / /cg/memory rw - cgroup cgroup rw,memory\n");
  root.Put("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/a:b\n0::/\n");
  root.Put("cg/cpu/other/memory.limit_in_bytes", "4\n");
  root.Put("cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(root.Limit(), 6000u);
  root.Put("cg/memory/a:b/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(root.Limit(), 3000u);
}

// In a container, the mounted group is the top, although the path names it.
TEST(DefaultMemoryLimitTest, ReadsTheGroupOfAContainer) {
  const Root root;
  root.Put("proc/self/mountinfo",
           "32 24 0:28 /docker/1f /cg/memory ro - cgroup cgroup rw,memory\n");
  root.Put("proc/self/cgroup", "4:memory:/docker/1f\n");
  root.Put("cg/memory/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(root.Limit(), 3000u);
}

TEST(DefaultMemoryLimitTest, IgnoresFilesThatItDoesNotUnderstand) {
  const Root root;
  root.Put("proc/self/cgroup", "0::\n::\nx\n");
  root.Put("proc/self/mountinfo", " - \n - cgroup2\n1 2 3 / - cgroup2 c rw\n");
  EXPECT_EQ(root.Limit(), 6000u);
  root.Put("proc/self/mountinfo", kVersion2);
  root.Put("sys/fs/cgroup/memory.max", "much\n");
  EXPECT_EQ(root.Limit(), 6000u);
}

}  // namespace
}  // namespace heapprof
