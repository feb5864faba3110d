// SPDX-License-Identifier: Apache-2.0
//
// A 128-bit hash that is computed as fast as memory can be read. It shows
// whether contents differ or are damaged. It is not cryptographic: someone can
// construct different contents with the same hash.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace heapprof {

using ContentHash = std::array<uint64_t, 2>;

// Returns the hash of `bytes`. The number of threads, `jobs`, does not change
// the hash.
ContentHash HashContent(std::span<const uint8_t> bytes, unsigned jobs = 1);

}  // namespace heapprof
