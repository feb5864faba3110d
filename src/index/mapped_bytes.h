// SPDX-License-Identifier: Apache-2.0
//
// An index file that is mapped into memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/io/mapped_range.h"

namespace heapprof {

class MappedBytes {
 public:
  // Maps the open file `fd`, which has `size` bytes; it may be closed
  // afterwards. An error begins with `path`. `is_read_whole` loads all of it at
  // once.
  static Result<MappedBytes> Map(int fd, uint64_t size, const std::string& path,
                                 bool is_read_whole);
  MappedBytes(MappedBytes&& other) noexcept;
  MappedBytes& operator=(MappedBytes&& other) noexcept;
  ~MappedBytes();

  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  MappedBytes() = default;

  std::span<const uint8_t> bytes_;
  MappedRange range_;
};

}  // namespace heapprof
