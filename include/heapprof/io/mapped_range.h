// SPDX-License-Identifier: Apache-2.0
//
// A registry of the files that are currently mapped into memory. If another
// program truncates such a file, reading the lost pages raises SIGBUS; the
// signal handler finds here which file it was.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "heapprof/base/error.h"

namespace heapprof {

// Registers a mapping for its own lifetime, without owning it. The registry
// holds a copy of the path.
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

// The file whose mapping contains `address`. Safe to call in a signal handler.
std::optional<MappedFile> FindMappedFile(const void* address);

// The largest mapped file. Neither allocates nor locks.
std::optional<MappedFile> LargestMappedFile();

// Fails if a file is smaller now than when it was mapped. If less than a page
// is lost, there is no signal and zeros are read instead. Call this after
// reading a mapping and before using the data.
Result<void> CheckMappedFiles();

}  // namespace heapprof
