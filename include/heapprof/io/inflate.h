// SPDX-License-Identifier: Apache-2.0
//
// Decompresses a whole buffer whose inflated size is known beforehand, as it is
// for compressed ELF sections. (unpack.h reads files, whose inflated size is
// not known.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "heapprof/base/error.h"
#include "heapprof/io/compression.h"

namespace heapprof {

struct InflatedBytes {
  std::unique_ptr<uint8_t[]> bytes;
  size_t size = 0;
};

// Fails if `size` inflated bytes are implausibly many for `packed_size`
// compressed ones.
Result<void> CheckInflatedSize(uint64_t packed_size, uint64_t size);

// Inflates `packed`. Fails if it is damaged or does not inflate to exactly
// `size` bytes. Also fails, before inflating anything, if CheckInflatedSize()
// fails. The error says only what is wrong; the caller adds the file and the
// place.
Result<InflatedBytes> Inflate(Compression compression,
                              std::span<const uint8_t> packed, uint64_t size);

}  // namespace heapprof
