// SPDX-License-Identifier: Apache-2.0
//
// Decompression of a whole buffer whose inflated size is known beforehand, as
// ELF states it for compressed sections. (gzip.h reads files, whose size is
// not known.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "heapprof/base/error.h"

namespace heapprof {

enum class Compression : uint8_t { kZlib, kZstd };

struct InflatedBytes {
  std::unique_ptr<uint8_t[]> bytes;
  size_t size = 0;
};

// Room for what `packed_size` bytes inflate to, not filled. Fails if `size` is
// more than this compression can make of so few bytes, or than there is memory.
Result<InflatedBytes> RoomForInflated(Compression compression,
                                      uint64_t packed_size, uint64_t size);

// Fails if `packed` is damaged, does not inflate to exactly `size` bytes, or
// `size` is more than this compression can make of so few bytes. The error
// says what is wrong, not where: the caller knows the file.
Result<InflatedBytes> Inflate(Compression compression,
                              std::span<const uint8_t> packed, uint64_t size);

}  // namespace heapprof
