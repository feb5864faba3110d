// SPDX-License-Identifier: Apache-2.0
//
// The files that are mapped into memory at the moment. A file that another
// program cuts short meanwhile raises SIGBUS where its pages are gone; whoever
// handles that signal finds here which file it was.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "heapprof/base/error.h"

namespace heapprof {

// Registers a mapping as long as it lives, and does not own it. The path
// belongs to the registry.
class MappedRange {
 public:
  MappedRange() = default;
  MappedRange(const void* data, size_t size, const std::string& path);
  MappedRange(MappedRange&& other) noexcept;
  MappedRange& operator=(MappedRange&& other) noexcept;
  ~MappedRange();

  struct Entry;

 private:
  Entry* entry_ = nullptr;
};

struct MappedFile {
  const char* path = nullptr;
  size_t size = 0;  // when it was mapped
};

// The file whose mapping contains `address`. Safe in a signal handler.
std::optional<MappedFile> FindMappedFile(const void* address);

// The largest file that is mapped. Neither allocates nor locks.
std::optional<MappedFile> LargestMappedFile();

// Fails if a file is smaller now than when it was mapped. Where less than a
// page is gone there is no signal, but zeros are read. To be called when a
// mapping has been read, before what was read is used.
Result<void> CheckMappedFiles();

}  // namespace heapprof
