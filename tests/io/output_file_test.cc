// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/output_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

std::string ErrorOf(const Result<void>& result) {
  return result ? "no error" : result.error().message;
}

mode_t ModeOf(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

size_t FilesIn(const TemporaryFolder& dir) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(dir.path()))
    ++count;
  return count;
}

// Limits the size of files that this process writes, during its lifetime.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t limit) {
    getrlimit(RLIMIT_FSIZE, &saved_);
    const rlimit lowered = {.rlim_cur = limit, .rlim_max = saved_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &lowered);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &saved_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit saved_ = {};
  void (*handler_)(int) = nullptr;
};

TEST(WriteFileAtomicallyTest, CreatesAFileWithTheUsualPermissions) {
  const TemporaryFolder dir;
  const std::string path = dir.Path("report");
  const mode_t mask = umask(027);
  EXPECT_EQ(ErrorOf(WriteFileAtomically(path, "text")), "no error");
  EXPECT_EQ(umask(mask), 027u);  // unchanged
  EXPECT_EQ(ReadFile(path), "text");
  EXPECT_EQ(ModeOf(path), 0640u);
  EXPECT_EQ(FilesIn(dir), 1u);
}

TEST(WriteFileAtomicallyTest, WritesAnEmptyFile) {
  const TemporaryFolder dir;
  EXPECT_EQ(ErrorOf(WriteFileAtomically(dir.Path("x"), "")), "no error");
  EXPECT_TRUE(std::filesystem::is_empty(dir.Path("x")));
}

TEST(WriteFileAtomicallyTest, ReplacesAFileAndKeepsItsPermissions) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("report", "a longer text than before");
  ASSERT_EQ(chmod(path.c_str(), 0604), 0);
  EXPECT_EQ(ErrorOf(WriteFileAtomically(path, "new")), "no error");
  EXPECT_EQ(ReadFile(path), "new");
  EXPECT_EQ(ModeOf(path), 0604u);
  EXPECT_EQ(FilesIn(dir), 1u);
}

TEST(WriteFileAtomicallyTest, ReplacesAFileWithTheLongestName) {
  const TemporaryFolder dir;
  const std::string path = dir.Write(std::string(NAME_MAX, 'x'), "old");
  EXPECT_EQ(ErrorOf(WriteFileAtomically(path, "new")), "no error");
  EXPECT_EQ(ReadFile(path), "new");
  EXPECT_EQ(FilesIn(dir), 1u);
}

// The bits were given to the program that had this name.
TEST(WriteFileAtomicallyTest, DropsTheBitsThatChangeTheUser) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("tool", "old");
  ASSERT_EQ(chmod(path.c_str(), 07755), 0);
  ASSERT_TRUE(WriteFileAtomically(path, "new"));
  EXPECT_EQ(ModeOf(path), 0755u);
}

// A file that an earlier process has left, when ids of processes recur as in
// containers.
TEST(WriteFileAtomicallyTest, IsNotBlockedByAFileNamedAfterTheProcess) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("file", "old");
  const std::string stray =
      dir.Write("file." + std::to_string(getpid()), "stray");
  const auto written = WriteFileAtomically(path, "new");
  EXPECT_TRUE(written) << ErrorOf(written);
  EXPECT_EQ(ReadFile(path), "new");
  EXPECT_EQ(ReadFile(stray), "stray");
  EXPECT_EQ(FilesIn(dir), 2u);
}

TEST(WriteFileAtomicallyTest, ReplacesWhatASymbolicLinkPointsAt) {
  const TemporaryFolder dir;
  const std::string target = dir.Write("target", "old");
  const std::string link = dir.Path("link");
  ASSERT_EQ(symlink("target", link.c_str()), 0);
  EXPECT_EQ(ErrorOf(WriteFileAtomically(link, "new")), "no error");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(ReadFile(target), "new");
}

TEST(WriteFileAtomicallyTest, CreatesWhatASymbolicLinkPointsAt) {
  const TemporaryFolder dir;
  std::filesystem::create_directory(dir.Path("reports"));
  ASSERT_EQ(symlink("reports/latest", dir.Path("link").c_str()), 0);
  ASSERT_EQ(symlink("today", dir.Path("reports/latest").c_str()), 0);
  EXPECT_EQ(ErrorOf(WriteFileAtomically(dir.Path("link"), "new")), "no error");
  EXPECT_TRUE(std::filesystem::is_symlink(dir.Path("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(dir.Path("reports/latest")));
  EXPECT_EQ(ReadFile(dir.Path("reports/today")), "new");
}

TEST(WriteFileAtomicallyTest, FailsIfASymbolicLinkPointsIntoNoFolder) {
  const TemporaryFolder dir;
  const std::string link = dir.Path("link");
  ASSERT_EQ(symlink("missing/file", link.c_str()), 0);
  EXPECT_EQ(ErrorOf(WriteFileAtomically(link, "new")),
            link + ": cannot write: No such file or directory");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
}

TEST(WriteFileAtomicallyTest, KeepsTheOldFileIfWritingFails) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("report", "old");
  const FileSizeLimit limit(4096);
  EXPECT_EQ(ErrorOf(WriteFileAtomically(path, std::string(100000, 'x'))),
            path + ": cannot write: File too large");
  EXPECT_EQ(ReadFile(path), "old");
  EXPECT_EQ(FilesIn(dir), 1u);
}

TEST(WriteFileAtomicallyTest, LeavesNothingBehindIfANewFileFails) {
  const TemporaryFolder dir;
  const FileSizeLimit limit(4096);
  const std::string path = dir.Path("report");
  EXPECT_EQ(ErrorOf(WriteFileAtomically(path, std::string(100000, 'x'))),
            path + ": cannot write: File too large");
  EXPECT_EQ(FilesIn(dir), 0u);
}

TEST(WriteFileAtomicallyTest, NamesThePathThatCannotBeWritten) {
  const TemporaryFolder dir;
  const std::string missing = dir.Path("missing/report");
  EXPECT_EQ(ErrorOf(WriteFileAtomically(missing, "x")),
            missing + ": cannot write: No such file or directory");
  EXPECT_EQ(ErrorOf(WriteFileAtomically(dir.path(), "x")),
            dir.path() + ": a folder; name a file in it");
}

TEST(WriteFileAtomicallyTest, WritesDevicesDirectly) {
  EXPECT_EQ(ErrorOf(WriteFileAtomically("/dev/null", "x")), "no error");
  EXPECT_EQ(ErrorOf(WriteFileAtomically("/dev/full", "x")),
            "/dev/full: cannot write: No space left on device");
}

TEST(WriteFileAtomicallyTest, WritesAFifoDirectly) {
  const TemporaryFolder dir;
  const std::string path = dir.Path("fifo");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const std::string bytes(1 << 20, 'x');  // more than a pipe holds
  std::string received;
  std::thread reader([&] { received = ReadFile(path); });
  EXPECT_EQ(ErrorOf(WriteFileAtomically(path, bytes)), "no error");
  reader.join();
  EXPECT_TRUE(received == bytes);
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

TEST(OutputFileTest, AppearsWhenItIsPublished) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("report", "old");
  {
    auto file = OutputFile::Create(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(ErrorOf(file->Append("n")), "no error");
    EXPECT_EQ(ErrorOf(file->Append("ew")), "no error");
    EXPECT_EQ(ErrorOf(file->Complete()), "no error");
    EXPECT_EQ(ReadFile(path), "old");
    OutputFile moved = std::move(*file);
    EXPECT_EQ(ErrorOf(moved.Publish()), "no error");
    EXPECT_EQ(ReadFile(path), "new");
  }
  EXPECT_EQ(FilesIn(dir), 1u);
}

TEST(OutputFileTest, IsGoneUnlessItIsPublished) {
  const TemporaryFolder dir;
  {
    auto file = OutputFile::Create(dir.Path("report"));
    ASSERT_TRUE(file);
    EXPECT_EQ(ErrorOf(file->Append("text")), "no error");
    EXPECT_EQ(ErrorOf(file->Complete()), "no error");
    EXPECT_FALSE(std::filesystem::exists(dir.Path("report")));
  }
  EXPECT_EQ(FilesIn(dir), 0u);
}

// A process that is killed before it publishes cannot clean up.
TEST(OutputFileTest, HasNoNameBeforeItIsPublished) {
  const TemporaryFolder dir;
  const int nameless =
      open(dir.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (nameless < 0) GTEST_SKIP() << "the file system has no nameless files";
  close(nameless);
  auto file = OutputFile::Create(dir.Path("report"));
  ASSERT_TRUE(file);
  EXPECT_EQ(ErrorOf(file->Append("text")), "no error");
  EXPECT_EQ(FilesIn(dir), 0u);
}

TEST(WriteAllTest, NamesTheOutputThatFails) {
  const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(ErrorOf(WriteAll(fd, "x", "standard output")),
            "standard output: cannot write: No space left on device");
  EXPECT_EQ(ErrorOf(WriteAll(fd, "", "standard output")), "no error");
  close(fd);
}

}  // namespace
}  // namespace heapprof
