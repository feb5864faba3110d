// SPDX-License-Identifier: Apache-2.0
//
// An unnamed file in memory, to exchange bytes with another process. A file in
// a folder could be left behind, or be on a file system from which nothing may
// be loaded.
#pragma once

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

class MemoryFile {
 public:
  explicit MemoryFile(const char* label)
      : fd_(memfd_create(label, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) close(fd_);
  }

  int fd() const { return fd_; }  // negative if there is no file

  // Other processes can open the file by this path while this process runs.
  std::string Path() const {
    return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd_);
  }

  // Writes `bytes` and moves back to the start of the file. Returns false on
  // failure.
  bool Fill(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = write(fd_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(put));
    }
    return lseek(fd_, 0, SEEK_SET) == 0;
  }

  // The size of the file; 0 if unknown.
  uint64_t Size() const {
    struct stat status = {};
    return fstat(fd_, &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
  }

  // Reads the whole file into `bytes`. Returns false on failure.
  bool ReadAll(std::string& bytes) const {
    bytes.resize(Size());
    size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t got = pread(fd_, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      done += static_cast<size_t>(got);
    }
    return true;
  }

 private:
  int fd_;
};

}  // namespace heapprof
