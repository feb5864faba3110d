// SPDX-License-Identifier: Apache-2.0
//
// Multiplicative (Fibonacci) hashing.
#pragma once

#include <cstdint>

namespace heapprof {

// 2^64 divided by the golden ratio, and odd. After a multiplication by it, the
// high bits of the product depend on all bits of the other factor: use these
// to choose a slot of a table.
inline constexpr uint64_t kHashMultiplier = 0x9e3779b97f4a7c15;

}  // namespace heapprof
