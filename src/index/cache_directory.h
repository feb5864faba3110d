// SPDX-License-Identifier: Apache-2.0
//
// The directory of an index cache: access checks and file operations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

class FileHandle {
 public:
  explicit FileHandle(int fd = -1) : fd_(fd) {}
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&& other) noexcept;
  ~FileHandle();

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // Closes the file. Returns false if written data may be lost.
  bool Close();

 private:
  int fd_;
};

class CacheDirectory {
 public:
  // Opens the directory. Returns nothing if it does not exist, and an error if
  // it belongs to another user or cannot be used.
  static Result<std::optional<CacheDirectory>> Open(const std::string& path);
  // Creates the directory and its parents if they do not exist, and opens it.
  static Result<CacheDirectory> Make(const std::string& path);

  struct File {
    std::string name;
    uint64_t size = 0;
    int64_t last_use = 0;  // in nanoseconds since 1970
  };
  // Lists the index files that belong to the user, the last used first.
  Result<std::vector<File>> Indexes() const;

  // Opens a file for reading and sets `size` to its size in bytes. Fails if it
  // does not belong to the user.
  Result<FileHandle> OpenFile(const std::string& name, uint64_t& size) const;
  void Touch(const FileHandle& file) const;
  bool Has(const std::string& name) const;
  bool Remove(const std::string& name) const;

  // A temporary file, which this process has locked.
  struct Temporary {
    std::string name;
    FileHandle file;
  };
  // Creates a temporary file for the index `name`.
  Result<Temporary> MakeTemporary(const std::string& name) const;
  Result<void> Rename(const std::string& from, const std::string& to) const;
  // Removes temporary files that no process has locked. Returns true if a
  // process is building the index `name`: the index has a locked temporary
  // file.
  bool RemoveStale(std::string_view name) const;

  const std::string& path() const { return path_; }

 private:
  CacheDirectory(std::string path, FileHandle handle)
      : path_(std::move(path)), handle_(std::move(handle)) {}

  Result<std::vector<std::string>> Names() const;
  std::string PathOf(const std::string& name) const;
  std::unexpected<Error> Failure(std::string_view verb) const;

  std::string path_;
  FileHandle handle_;
};

}  // namespace heapprof
