// SPDX-License-Identifier: Apache-2.0
#include "doctor/process_view.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

TEST(ProcessViewTest, SeesItself) {
  const auto self = ProcessView::Open(getpid());
  ASSERT_TRUE(self);
  EXPECT_EQ(self->denied, "");
  EXPECT_EQ(self->program, std::filesystem::read_symlink("/proc/self/exe"));
  EXPECT_EQ(self->folder, std::filesystem::current_path());
  EXPECT_EQ(self->user, geteuid());
  EXPECT_FALSE(self->has_own_files);
  EXPECT_FALSE(self->has_own_network);
  EXPECT_EQ(self->PathHere("/etc"), "/etc");
  EXPECT_EQ(self->ProgramHere(), self->program);
  EXPECT_FALSE(self->map.entries().empty());
  EXPECT_FALSE(self->arguments.empty());
  const char* const path = getenv("PATH");
  ASSERT_NE(path, nullptr);
  EXPECT_EQ(self->Variable("PATH"), path);
  EXPECT_FALSE(self->Variable("PAT"));
}

TEST(ProcessViewTest, FailsIfThereIsNoProgram) {
  for (const int process : {0x7fffffff, 0}) {
    const auto none = ProcessView::Open(process);
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().kind, ErrorKind::kNoData);
  }
}

TEST(ProcessViewTest, KnowsWhereAUserMayWrite) {
  const TemporaryFolder folder;
  ProcessView view = *ProcessView::Open(getpid());
  EXPECT_EQ(view.WhyNotWritable(folder.path()), "");
  EXPECT_EQ(view.WhyNotWritable(folder.Path("none")),
            "No such file or directory");
  EXPECT_EQ(view.WhyNotWritable(folder.Write("file", "")), "Not a directory");
  view.user = 12345;
  view.groups.clear();
  EXPECT_EQ(view.WhyNotWritable(folder.path()),
            "user 12345 may not write there");
  EXPECT_FALSE(view.HasPermission(folder.path()));
  ASSERT_EQ(chmod(folder.path().c_str(), 0777), 0);
  EXPECT_EQ(view.WhyNotWritable(folder.path()), "");
  EXPECT_TRUE(view.HasPermission(folder.path()));
  ASSERT_EQ(chmod(folder.path().c_str(), 0770), 0);
  view.groups = {getegid()};
  EXPECT_EQ(view.WhyNotWritable(folder.path()), "");
}

}  // namespace
}  // namespace heapprof
