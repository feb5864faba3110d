// SPDX-License-Identifier: Apache-2.0
#include "symbolize/paths.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/base/base_name.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

TEST(FileExistsTest, IsFalseForAnEmptyFile) {
  const TemporaryFolder folder;
  EXPECT_FALSE(FileExists(folder.Path("a")));
  EXPECT_FALSE(FileExists(folder.Write("b", "")));
  EXPECT_TRUE(FileExists(folder.Write("c", "x")));
  EXPECT_TRUE(FileExists(folder.path()));
}

TEST(NormalPathTest, DropsRedundantComponents) {
  for (const auto& [path, normal] : std::vector<std::array<const char*, 2>>{
           {"", ""},
           {"/", "/"},
           {"a.cc", "a.cc"},
           {"/src/a.cc", "/src/a.cc"},
           {"./a.cc", "a.cc"},
           {"./csu/../sysdeps/x86/libc-start.c", "sysdeps/x86/libc-start.c"},
           {"/a/./b/../../c//d.h", "/c/d.h"},
           {"../../a.h", "../../a.h"},
           {"a/../../b.h", "../b.h"},
           {"/../a.h", "/a.h"},
           {"//a.h", "/a.h"},
           {"a/..", "."},
           {"/a/..", "/"},
           {"a/.hidden/..b/...", "a/.hidden/..b/..."},
           {"<built-in>", "<built-in>"}})
    EXPECT_EQ(NormalPath(path), normal) << path;
}

TEST(NormalPathTest, TakesTimeInProportionToTheLengthOfThePath) {
  constexpr size_t kParts = 200'000;
  std::string path;
  for (size_t i = 0; i < kParts; ++i) path += "a/";
  for (size_t i = 0; i < kParts; ++i) path += "../";
  EXPECT_EQ(NormalPath(path + "b"), "b");
}

// A file system with a merged /usr, versioned links and one that loops.
struct Root {
  TemporaryFolder folder;

  Root() {
    fs::create_directories(folder.Path("usr/lib/x"));
    fs::create_symlink("/usr/lib", folder.Path("lib"));
    fs::create_symlink("libz.so.1.2", folder.Path("usr/lib/libz.so.1"));
    fs::create_symlink("../../../../lib/x/real", folder.Path("usr/lib/up"));
    fs::create_symlink("/loop", folder.Path("loop"));
    fs::create_symlink("/etc/alternatives", folder.Path("usr/lib/absolute"));
  }
  std::string Resolve(const char* path) const {
    const std::string resolved = ResolveBelow(folder.path(), path);
    EXPECT_TRUE(IsBelow(resolved, folder.path())) << resolved;
    return resolved.substr(folder.path().size());
  }
};

TEST(ResolveBelowTest, KeepsLinksInsideTheRoot) {
  const Root root;
  EXPECT_EQ(root.Resolve("/lib/libz.so.1"), "/usr/lib/libz.so.1.2");
  EXPECT_EQ(root.Resolve("/usr/lib/up"), "/usr/lib/x/real");
  EXPECT_EQ(root.Resolve("/usr/lib/absolute/x"), "/etc/alternatives/x");
  EXPECT_EQ(root.Resolve("/../../lib"), "/usr/lib");
  EXPECT_EQ(root.Resolve("usr/./lib//x"), "/usr/lib/x");
}

TEST(ResolveBelowTest, LeavesMissingFilesAndLoops) {
  const Root root;
  EXPECT_EQ(root.Resolve("/gone/lib/x"), "/gone/lib/x");
  EXPECT_EQ(root.Resolve("/loop"), "/loop");
  EXPECT_EQ(root.Resolve(""), "/");
}

}  // namespace
}  // namespace heapprof
