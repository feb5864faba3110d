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

// While it exists, an object of this class registers a mapping, which somebody
// else owns. The registry holds a copy of the path.
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
  // The size of the file when it was mapped.
  size_t size = 0;
};

// The file whose mapping contains `address`. Safe to call in a signal handler.
std::optional<MappedFile> FindMappedFile(const void* address);

// The largest mapped file. Works even if the process is out of memory, because
// it neither allocates nor locks.
std::optional<MappedFile> LargestMappedFile();

// Fails if a file is smaller now than when it was mapped. This check is needed
// because not every truncation raises SIGBUS: within the last remaining page,
// lost bytes read as zeros. Call it after reading a mapping and before using
// the data.
Result<void> CheckMappedFiles();

}  // namespace heapprof
