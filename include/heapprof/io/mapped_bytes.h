// SPDX-License-Identifier: Apache-2.0
//
// A file that is mapped into memory, to be read.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/io/mapped_range.h"

namespace heapprof {

class MappedBytes {
 public:
  MappedBytes() = default;
  // Maps the open file `fd`, which has `size` bytes; it may be closed
  // afterwards. An error begins with `path`; fails as `new` does if there is no
  // memory. `is_read_whole` loads all of it at once.
  static Result<MappedBytes> Map(int fd, uint64_t size, const std::string& path,
                                 bool is_read_whole = false);
  MappedBytes(MappedBytes&& other) noexcept;
  MappedBytes& operator=(MappedBytes&& other) noexcept;
  ~MappedBytes();

  // The whole file. A move of this object does not invalidate it.
  std::span<const uint8_t> bytes() const { return bytes_; }
  // See MappedRange.
  bool IsOverwritten() const { return range_.IsOverwritten(); }

 private:
  std::span<const uint8_t> bytes_;
  MappedRange range_;
};

}  // namespace heapprof
