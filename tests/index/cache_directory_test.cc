// SPDX-License-Identifier: Apache-2.0
#include "index/cache_directory.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/io/temporary_files.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class CacheDirectoryTest : public testing::Test {
 protected:
  CacheDirectory Make() const {
    auto made = CacheDirectory::Make(folder_.path());
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
  static std::vector<std::string> Indexes(const CacheDirectory& directory) {
    std::vector<std::string> names;
    const auto files = directory.Indexes();
    EXPECT_TRUE(files) << files.error().message;
    for (const CacheDirectory::File& file : *files) names.push_back(file.name);
    std::ranges::sort(names);
    return names;
  }

  TemporaryFolder folder_;
};

TEST_F(CacheDirectoryTest, DoesNotExistUntilItIsMade) {
  const std::string path = folder_.Path("a/b");
  EXPECT_FALSE(CacheDirectory::Open(path).value());
  EXPECT_EQ(CacheDirectory::Make(path).value().path(), path);
  EXPECT_TRUE(fs::is_directory(path));
  EXPECT_TRUE(CacheDirectory::Open(path).value());
}

TEST_F(CacheDirectoryTest, ListsIndexFilesOnly) {
  folder_.Write("a.idx", "1");
  folder_.Write("b.idx", "22");
  folder_.Write("c.txt", "");
  folder_.Write("a.idx.x.tmp", "");
  fs::create_directory(folder_.Path("d.idx"));
  fs::create_symlink(folder_.Path("a.idx"), folder_.Path("e.idx"));
  EXPECT_THAT(Indexes(Make()), ElementsAre("a.idx", "b.idx"));
}

TEST_F(CacheDirectoryTest, OpensFilesWithTheirSize) {
  folder_.Write("a.idx", "four");
  const CacheDirectory directory = Make();
  uint64_t size = 0;
  const auto file = directory.OpenFile("a.idx", size);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->is_open());
  EXPECT_EQ(size, 4u);
  const auto missing = directory.OpenFile("b.idx", size);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("b.idx: cannot open"));
  EXPECT_TRUE(directory.Has("a.idx"));
  EXPECT_TRUE(directory.Remove("a.idx"));
  EXPECT_FALSE(directory.Has("a.idx"));
  EXPECT_FALSE(directory.Remove("a.idx"));
}

TEST_F(CacheDirectoryTest, WritesATemporaryFileAndRenamesIt) {
  const CacheDirectory directory = Make();
  auto temporary = directory.MakeTemporary("a.idx");
  ASSERT_TRUE(temporary) << temporary.error().message;
  EXPECT_THAT(temporary->name, StartsWith("a.idx."));
  EXPECT_THAT(temporary->name, EndsWith(".tmp"));
  ASSERT_EQ(write(temporary->file.get(), "text", 4), 4);
  EXPECT_TRUE(directory.Rename(temporary->name, "a.idx"));
  EXPECT_TRUE(temporary->file.Close());
  EXPECT_EQ(ReadFile(folder_.Path("a.idx")), "text");
  EXPECT_THAT(Indexes(directory), ElementsAre("a.idx"));
}

TEST_F(CacheDirectoryTest, NotesATemporaryFileUntilItIsRenamed) {
  const CacheDirectory directory = Make();
  auto finished = directory.MakeTemporary("a.idx");
  const auto unfinished = directory.MakeTemporary("b.idx");
  ASSERT_TRUE(finished && unfinished);
  EXPECT_TRUE(directory.Rename(finished->name, "a.idx"));
  // Another file may get the name.
  folder_.Write(finished->name, "");
  RemoveTemporaryFiles();
  EXPECT_TRUE(directory.Has(finished->name));
  EXPECT_FALSE(directory.Has(unfinished->name));
}

TEST_F(CacheDirectoryTest, RemovesUnlockedTemporaryFilesOnly) {
  const CacheDirectory directory = Make();
  folder_.Write("b.idx.dead.tmp", "");
  folder_.Write("unrelated.tmp", "");
  {
    const auto locked = directory.MakeTemporary("a.idx");
    ASSERT_TRUE(locked);
    EXPECT_TRUE(directory.RemoveStale("a.idx"));
    EXPECT_FALSE(directory.RemoveStale("b.idx"));
    EXPECT_TRUE(directory.Has(locked->name));
  }
  EXPECT_FALSE(directory.Has("b.idx.dead.tmp"));
  EXPECT_TRUE(directory.Has("unrelated.tmp"));
  EXPECT_FALSE(directory.RemoveStale("a.idx"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(CacheDirectoryTest, TouchesAFileThatWasNotUsedRecently) {
  const std::string path = folder_.Write("a.idx", "");
  const auto now = fs::file_time_type::clock::now();
  const CacheDirectory directory = Make();
  for (const auto& [age, is_touched] :
       {std::pair(std::chrono::seconds(10), false),
        std::pair(std::chrono::seconds(1000), true)}) {
    fs::last_write_time(path, now - age);
    uint64_t size = 0;
    directory.Touch(*directory.OpenFile("a.idx", size));
    EXPECT_EQ(fs::last_write_time(path) > now - age, is_touched);
  }
}

TEST(FileHandleTest, ClosesAFileOnce) {
  TemporaryFile file("");
  FileHandle first(open(file.path().c_str(), O_RDONLY));
  ASSERT_TRUE(first.is_open());
  FileHandle second(std::move(first));
  EXPECT_FALSE(first.is_open());
  EXPECT_TRUE(second.is_open());
  EXPECT_TRUE(second.Close());
  EXPECT_FALSE(second.is_open());
  EXPECT_TRUE(second.Close());
}

}  // namespace
}  // namespace heapprof
