// SPDX-License-Identifier: Apache-2.0
//
// Writes output files that appear complete or not at all. The bytes go to a
// file without a name if the file system supports that (O_TMPFILE), otherwise
// to a temporary file in the same directory. The file gets its name only after
// it has been flushed to disk.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// A file that has no name until Publish() is called. The destructor removes the
// file unless it was published.
class OutputFile {
 public:
  // Creates a file that Publish() will name `path`. If a device or FIFO has
  // that path, opens it instead: Append() then writes to it directly.
  static Result<OutputFile> Create(const std::string& path);
  // Creates and completes a file with these bytes.
  static Result<OutputFile> Write(const std::string& path,
                                  std::string_view bytes);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) = delete;
  ~OutputFile();

  Result<void> Append(std::string_view bytes);
  // Flushes the file to disk. Call this once, after the last Append().
  Result<void> Complete();
  // Gives the completed file its name. Replaces an existing file but keeps its
  // permissions to read, write and execute. Call this once.
  Result<void> Publish();

 private:
  explicit OutputFile(const std::string& path) : path_(path) {}
  Result<void> OpenDevice();
  Result<void> OpenTemporary();
  // Gives the open file, which has no name yet, the name `name`. Returns false
  // on failure, for example if another file has this name.
  bool LinkTo(const std::string& name);
  // Gives it a temporary name in the directory of the target.
  bool LinkToTemporaryName();
  void SetTemporary(std::string name);

  std::string path_;
  // `path_` with symbolic links resolved; empty for a device or FIFO.
  std::string target_ = {};
  // The name of the temporary file; empty if the file has no name.
  std::string temporary_ = {};
  mode_t mode_ = 0;  // the permissions of the published file
  int fd_ = -1;
};

// Writes and publishes a file with these bytes.
Result<void> WriteFileAtomically(const std::string& path,
                                 std::string_view bytes);

// Writes all of `bytes` to a file descriptor. `name` is for error messages.
Result<void> WriteAll(int fd, std::string_view bytes, const std::string& name);

}  // namespace heapprof
