// SPDX-License-Identifier: Apache-2.0
//
// A registry of the files that are currently mapped into memory. If another
// program truncates such a file, reading the lost pages raises SIGBUS; the
// signal handler finds here which file it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "heapprof/base/error.h"

namespace heapprof {

// Keeps a mapping in the registry as long as this object exists. Does not own
// the mapping. The registry holds a copy of the path.
class MappedRange {
 public:
  MappedRange() = default;
  MappedRange(const void* data, size_t size, const std::string& path);
  MappedRange(MappedRange&& other) noexcept;
  MappedRange& operator=(MappedRange&& other) noexcept;
  ~MappedRange();

  // True if another program has overwritten the file since it was mapped. Then
  // what was read may be a mix of the old and the new content. A file that has
  // only grown, or whose path now leads to another file, is whole. Looks only
  // at the first page: all files that we map begin with what tells one content
  // from another, such as sums, offsets or a build id.
  bool IsOverwritten() const;

  struct Entry;

 private:
  uint64_t HashOfFirstPage() const;

  Entry* entry_ = nullptr;
  uint64_t first_page_ = 0;
};

struct MappedFile {
  const char* path = nullptr;
  // The size of the file when it was mapped.
  size_t size = 0;
};

// Returns the file whose mapping contains `address`. Safe to call in a signal
// handler.
std::optional<MappedFile> FindMappedFile(const void* address);

// Returns the largest mapped file, to be named in the message that memory is
// used up. Works without free memory, because it neither allocates nor locks.
std::optional<MappedFile> LargestMappedFile();

// Fails if any mapped file is smaller now than when it was mapped. This check
// is needed because not every truncation raises SIGBUS: lost bytes in the last
// remaining page read as zeros. Call it after reading from a mapping and before
// using what was read.
Result<void> CheckMappedFiles();

}  // namespace heapprof
