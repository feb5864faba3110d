// SPDX-License-Identifier: Apache-2.0
//
// Writes output files that appear complete or not at all. The bytes go to a
// file without a name if the file system supports that (O_TMPFILE), otherwise
// to a temporary file in the same directory. The file gets its name only after
// it has been flushed to disk.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// A file that has been written but does not have its name yet. The destructor
// removes the file unless Publish() was called.
class OutputFile {
 public:
  // Writes `bytes` to a new file, which Publish() names `path`. If a device or
  // FIFO has that path, writes to it directly.
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
  // Gives this name to a file that has none yet. Returns false on failure, for
  // example if a file of this name exists.
  bool LinkTo(const std::string& name);

  std::string path_;
  // `path_` with symbolic links resolved; empty if a device or FIFO was
  // written.
  std::string target_ = {};
  // The name of the temporary file; empty if the file has no name.
  std::string temporary_ = {};
  int fd_ = -1;
};

// Writes and publishes a file.
Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes);

// Writes all of `bytes` to a file descriptor. `name` is for error messages.
Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name);

}  // namespace heapprof
