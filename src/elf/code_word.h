// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heapprof {

// Returns the 32-bit number at `at` in the code of an x86 or ARM program. Code
// is little-endian even if data is not.
inline uint32_t WordAt(std::span<const uint8_t> code, size_t at) {
  return code[at] | uint32_t{code[at + 1]} << 8 | uint32_t{code[at + 2]} << 16 |
         uint32_t{code[at + 3]} << 24;
}

}  // namespace heapprof
