// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace heapprof {

// Returns the `size` bytes from `offset` on, or fewer if `bytes` end before.
inline std::span<const uint8_t> PartOf(std::span<const uint8_t> bytes,
                                       uint64_t offset, uint64_t size) {
  const auto rest = bytes.subspan(std::min<uint64_t>(offset, bytes.size()));
  return rest.first(std::min<uint64_t>(size, rest.size()));
}

}  // namespace heapprof
