// SPDX-License-Identifier: Apache-2.0
//
// Output that appears complete or not at all: it is written to an unnamed file
// where the file system supports that, otherwise to a temporary file in the
// same directory, flushed to disk, and then given its name.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// A file that is written but does not have its name yet. It is removed unless
// it is published.
class OutputFile {
 public:
  // Writes `bytes`. A device or FIFO at `path` receives them at once.
  static Result<OutputFile> Write(const std::string& path,
                                  std::string_view bytes);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) = delete;
  ~OutputFile();

  // Gives the file its name. Replaces an existing file but keeps its
  // permissions. Call this once.
  Result<void> Publish();

 private:
  explicit OutputFile(const std::string& path) : path_(path) {}
  Result<void> Open();
  // Names an unnamed file. Fails if the name is taken.
  bool LinkTo(const std::string& name);

  std::string path_;
  std::string target_ =
      {};  // path_ with symbolic links resolved; empty: already written
  std::string temporary_ = {};  // empty: the file is unnamed
  int fd_ = -1;
};

// Writes and publishes a file.
Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes);

// Writes all of `bytes` to a file descriptor. `name` is for error messages.
Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name);

}  // namespace heapprof
