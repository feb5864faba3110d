// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace heapprof {

// Appends the lowest `size` bytes of `value`, little-endian.
inline void PutNumber(std::string& out, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xff);
}

}  // namespace heapprof
