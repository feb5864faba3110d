// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/same_file.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

TEST(SameFileTest, FollowsLinks) {
  const TemporaryFolder folder;
  fs::create_directory(folder.Path("real"));
  const std::string file = folder.Write("real/a", "");
  const std::string other = folder.Write("real/b", "");
  fs::create_directory_symlink("real", folder.Path("link"));
  EXPECT_TRUE(SameFile(folder.Path("link/a"), file));
  EXPECT_TRUE(SameFile("/nowhere/a", "/nowhere/a"));
  EXPECT_FALSE(SameFile("/nowhere/a", "/nowhere/b"));
  EXPECT_FALSE(SameFile(file, other));
}

TEST(RealPathTest, FollowsLinksAsFarAsThePathExists) {
  const TemporaryFolder folder;
  fs::create_directory(folder.Path("real"));
  fs::create_directory_symlink("real", folder.Path("link"));
  const std::string real = fs::canonical(folder.Path("real")).string();
  EXPECT_EQ(RealPath(folder.Path("link/./x")), real + "/x");
  EXPECT_EQ(RealPath(folder.Path("link/x/../y")), real + "/y");
  EXPECT_EQ(RealPath("/nowhere/../x"), "/x");
}

}  // namespace
}  // namespace heapprof
