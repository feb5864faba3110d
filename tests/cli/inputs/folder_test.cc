// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/folder.h"

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kElf =
    "\x7f"
    "ELF";

TEST(ReadFolderTest, TellsFilesApartByContent) {
  const TemporaryFolder folder;
  folder.Write("app", kElf);
  folder.Write("a.heap", "heap_v2/512\n");
  folder.Write("flat", "heap profile: 1: 2 [3: 4] @ heapprofile\n");
  folder.Write("named", "--- symbol\nbinary=/x\n");
  folder.Write("README.md", "How to read a heap_v2/512 dump\n");
  folder.Write("empty.heap", "");
  fs::create_directory(folder.Path(".debug"));
  folder.Write(".debug/app.debug", kElf);
  const auto contents = ReadFolder(folder.path());
  ASSERT_TRUE(contents) << contents.error().message;
  EXPECT_THAT(contents->elf_files,
              ElementsAre(folder.Path(".debug/app.debug"), folder.Path("app")));
  EXPECT_THAT(contents->profiles,
              ElementsAre(folder.Path("a.heap"), folder.Path("flat"),
                          folder.Path("named")));
}

TEST(ReadFolderTest, TakesCompressedProfilesByTheirNames) {
  const TemporaryFolder folder;
  for (const char* name : {"a.heap.gz", "b.heap.zst", "c.pb.gz", "d.pb.zst",
                           "e.folded.xz", "f.raw.bz2", "logs.gz", "g.tar.zst"})
    folder.Write(name, "\x1f\x8b");
  EXPECT_THAT(
      ReadFolder(folder.path())->profiles,
      ElementsAre(folder.Path("a.heap.gz"), folder.Path("b.heap.zst"),
                  folder.Path("c.pb.gz"), folder.Path("d.pb.zst"),
                  folder.Path("e.folded.xz"), folder.Path("f.raw.bz2")));
}

// Other text files may look like folded stacks, too.
TEST(ReadFolderTest, TakesFoldedStacksByTheirNames) {
  const TemporaryFolder folder;
  for (const char* name :
       {"a.folded", "b.collapsed", "c.folded.gz", "access.log", "numbers"})
    folder.Write(name, "main;f 200\n");
  EXPECT_THAT(ReadFolder(folder.path())->profiles,
              ElementsAre(folder.Path("a.folded"), folder.Path("b.collapsed"),
                          folder.Path("c.folded.gz")));
}

TEST(ReadFolderTest, OpensNothingButFiles) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo(folder.Path("pipe.heap").c_str(), 0600), 0);
  fs::create_symlink("/nowhere", folder.Path("link.heap"));
  fs::create_directory(folder.Path("sub.heap"));
  EXPECT_THAT(ReadFolder(folder.path())->profiles, IsEmpty());
}

// A process that is killed leaves one.
TEST(ReadFolderTest, LeavesOutDumpsThatAreBeingWritten) {
  const TemporaryFolder folder;
  folder.Write("app.7.0.r0.heap", "heap_v2/512\n");
  folder.Write("app.7.1.r1.heap.part", "heap_v2/512\n");
  EXPECT_THAT(ReadFolder(folder.path())->profiles,
              ElementsAre(folder.Path("app.7.0.r0.heap")));
}

TEST(ReadFolderTest, SaysThatAFolderCannotBeRead) {
  const auto contents = ReadFolder("/nowhere");
  ASSERT_FALSE(contents);
  EXPECT_EQ(contents.error().message,
            "/nowhere: cannot read the folder: No such file or directory");
}

}  // namespace
}  // namespace heapprof
