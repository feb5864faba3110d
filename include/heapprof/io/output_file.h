// SPDX-License-Identifier: Apache-2.0
//
// Output that appears whole or not at all: written to a file without a name
// where the file system has such, else to a temporary one in the same
// directory, flushed to disk, then named.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// A file that is written, but not yet where it is to be. Unless it is
// published, nothing is left of it.
class OutputFile {
 public:
  // Writes `bytes`. A device or FIFO at `path` gets them at once.
  static Result<OutputFile> Write(const std::string& path,
                                  std::string_view bytes);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) = delete;
  ~OutputFile();

  // Puts the file at its path. An existing one is replaced; its permissions
  // stay. To be called once.
  Result<void> Publish();

 private:
  explicit OutputFile(const std::string& path) : path_(path) {}
  Result<void> Open();
  // Gives a file without a name one, unless that is taken.
  bool LinkTo(const std::string& name);

  std::string path_;
  std::string target_ = {};     // what links at path_ lead to; empty: written
  std::string temporary_ = {};  // empty: the file has no name
  int fd_ = -1;
};

// Writes and publishes one file.
Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes);

// Writes all of `bytes` to a file descriptor. `name` is for the message.
Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name);

}  // namespace heapprof
