// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/regular_file.h"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "support/temporary_files.h"

namespace heapprof {
namespace {

// Counts how often a file is opened.
class OpenWatch {
 public:
  explicit OpenWatch(const std::string& path)
      : fd_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(inotify_add_watch(fd_, path.c_str(), IN_OPEN), 0);
  }
  ~OpenWatch() { close(fd_); }
  OpenWatch(const OpenWatch&) = delete;
  OpenWatch& operator=(const OpenWatch&) = delete;

  bool WasOpened() const {
    std::array<char, 4096> events;
    return read(fd_, events.data(), events.size()) > 0;
  }

 private:
  int fd_;
};

std::string ErrorOf(const std::string& path) {
  struct stat status = {};
  const Result<int> fd = OpenRegularFile(path, status);
  if (!fd) return fd.error().message;
  close(*fd);
  return "";
}

TEST(OpenRegularFileTest, OpensARegularFileAndSetsItsStatus) {
  const TemporaryFolder dir;
  const std::string path = dir.Write("file", "12345");
  const OpenWatch watch(path);
  struct stat status = {};
  const Result<int> fd = OpenRegularFile(path, status);
  ASSERT_TRUE(fd) << fd.error().message;
  close(*fd);
  EXPECT_EQ(status.st_size, 5);
  EXPECT_TRUE(watch.WasOpened());
}

TEST(OpenRegularFileTest, NeverOpensADeviceOrAPipe) {
  const TemporaryFolder dir;
  const std::string pipe = dir.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string link = dir.path() + "/link";
  ASSERT_EQ(symlink("/dev/null", link.c_str()), 0);
  for (const std::string& path : {pipe, link, std::string("/dev/null")}) {
    const OpenWatch watch(path);
    EXPECT_EQ(ErrorOf(path), path + ": not a regular file");
    EXPECT_FALSE(watch.WasOpened()) << path;
  }
}

TEST(OpenRegularFileTest, SaysWhyAFileCannotBeOpened) {
  EXPECT_EQ(ErrorOf("/missing"),
            "/missing: cannot open: No such file or "
            "directory");
}

}  // namespace
}  // namespace heapprof
