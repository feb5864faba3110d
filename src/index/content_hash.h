// SPDX-License-Identifier: Apache-2.0
//
// A 128-bit hash at the speed of memory. It distinguishes contents and detects
// damage, but not contents that are made to collide.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace heapprof {

using ContentHash = std::array<uint64_t, 2>;

// The number of threads, `jobs`, does not change the hash.
ContentHash HashContent(std::span<const uint8_t> bytes, unsigned jobs = 1);

}  // namespace heapprof
