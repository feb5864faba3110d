// SPDX-License-Identifier: Apache-2.0
//
// A 128-bit hash at the speed of memory: tells contents apart and finds damage.
// It is no protection against contents that are made to collide.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace heapprof {

using ContentHash = std::array<uint64_t, 2>;

// `jobs` is the number of threads, which changes nothing else.
ContentHash HashContent(std::span<const uint8_t> bytes, unsigned jobs = 1);

}  // namespace heapprof
