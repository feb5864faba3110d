// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/mapped_range.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/io/input_file.h"
#include "support/gzip_text.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

// Any memory serves.
constexpr size_t kSize = 4096;
char memory[2 * kSize];

std::string PathOf(const void* address) {
  const auto file = FindMappedFile(address);
  return file ? file->path : "none";
}

TEST(MappedRangeTest, IsFoundAsLongAsItLives) {
  EXPECT_EQ(PathOf(memory), "none");
  {
    MappedRange first(memory, kSize, "/first");
    const MappedRange second(memory + kSize, kSize, "/second");
    EXPECT_EQ(PathOf(memory), "/first");
    EXPECT_EQ(PathOf(memory + kSize - 1), "/first");
    EXPECT_EQ(PathOf(memory + kSize), "/second");
    EXPECT_EQ(PathOf(memory + 2 * kSize), "none");
    MappedRange moved(std::move(first));
    EXPECT_EQ(PathOf(memory), "/first");
    moved = MappedRange();
    EXPECT_EQ(PathOf(memory), "none");
    const MappedRange third(memory, kSize, "/third");
    EXPECT_EQ(PathOf(memory), "/third");
  }
  EXPECT_EQ(PathOf(memory + kSize), "none");
}

TEST(MappedRangeTest, MayBeMadeByManyThreads) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([i] {
      const std::string path = "/file" + std::to_string(i);
      for (int count = 0; count < 1000; ++count) {
        const MappedRange range(memory + i, 1, path);
        EXPECT_EQ(PathOf(memory + i), path);
      }
    });
  threads.clear();
  EXPECT_EQ(PathOf(memory), "none");
}

TEST(LargestMappedFileTest, IsTheLargestThatIsMapped) {
  EXPECT_FALSE(LargestMappedFile());
  const MappedRange small(memory, 10, "/small");
  const MappedRange large(memory + 10, 20, "/large");
  EXPECT_EQ(std::string(LargestMappedFile()->path), "/large");
  EXPECT_EQ(LargestMappedFile()->size, 20u);
}

class OverwrittenFileTest : public testing::Test {
 protected:
  static constexpr auto kBytes = 10'000;

  void SetUp() override {
    auto opened = InputFile::Open(path_);
    ASSERT_TRUE(opened);
    file_ = std::move(*opened);
  }
  // Writes to the file without cutting it first.
  void Overwrite(const std::string& bytes) const {
    std::fstream(path_, std::ios::in | std::ios::out) << bytes;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Write("a.heap", std::string(kBytes, 'x'));
  std::optional<InputFile> file_;
};

TEST_F(OverwrittenFileTest, IsNoticedIfTheSizeIsTheOldOrLarger) {
  EXPECT_FALSE(file_->IsOverwritten());
  Overwrite(std::string(kBytes, 'y'));
  EXPECT_TRUE(file_->IsOverwritten());
  SetUp();
  EXPECT_FALSE(file_->IsOverwritten());
  Overwrite(std::string(2 * kBytes, 'z'));
  EXPECT_TRUE(file_->IsOverwritten());
}

TEST_F(OverwrittenFileTest, IsNotOneThatGrowsOrKeepsItsContent) {
  std::ofstream(path_, std::ios::app) << "more";
  EXPECT_FALSE(file_->IsOverwritten());
  Overwrite(std::string(kBytes, 'x'));
  std::filesystem::last_write_time(path_, {});
  std::filesystem::permissions(path_, std::filesystem::perms::owner_read);
  EXPECT_FALSE(file_->IsOverwritten());
}

TEST_F(OverwrittenFileTest, IsNotOneThatAnotherFileReplaces) {
  const std::string other = folder_.Write("b.heap", std::string(kBytes, 'y'));
  std::filesystem::rename(other, path_);
  EXPECT_FALSE(file_->IsOverwritten());
  std::filesystem::remove(path_);
  EXPECT_FALSE(file_->IsOverwritten());
}

TEST_F(OverwrittenFileTest, IsNoticedIfItIsCompressed) {
  const std::string packed = folder_.Write("a.gz", Gzip("heap_v2/1\n"));
  const auto file = InputFile::Open(packed);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), "heap_v2/1\n");
  std::fstream(packed, std::ios::in | std::ios::out) << Gzip("heap_v2/2\n");
  EXPECT_TRUE(file->IsOverwritten());
}

TEST(CheckMappedFilesTest, FailsIfAFileHasShrunk) {
  const TemporaryFolder folder;
  const std::string path = folder.Write("a.heap", std::string(100, 'x'));
  const auto file = InputFile::Open(path);
  ASSERT_TRUE(file);
  EXPECT_TRUE(CheckMappedFiles());
  std::filesystem::resize_file(path, 200);
  EXPECT_TRUE(CheckMappedFiles());
  std::filesystem::resize_file(path, 99);
  const auto checked = CheckMappedFiles();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().kind, ErrorKind::kIo);
  EXPECT_EQ(checked.error().message,
            path + ": was truncated while it was being read");
  // Another file may take the name.
  std::filesystem::remove(path);
  folder.Write("a.heap", "");
  EXPECT_TRUE(CheckMappedFiles());
}

}  // namespace
}  // namespace heapprof
