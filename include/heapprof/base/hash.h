// SPDX-License-Identifier: Apache-2.0
//
// Multiplicative (Fibonacci) hashing.
#pragma once

#include <cstdint>

namespace heapprof {

// 2^64 divided by the golden ratio, rounded to an odd number. If a key is
// multiplied by it, the high bits of the 64-bit product depend on all bits of
// the key. Use these high bits to choose a slot of a hash table.
inline constexpr uint64_t kHashMultiplier = 0x9e3779b97f4a7c15;

// Returns the hash of a sequence that `hash` is the hash of, and `next`.
constexpr uint64_t AddToHash(uint64_t hash, uint64_t next) {
  return ((hash ^ (hash >> 32)) + next) * kHashMultiplier;
}

}  // namespace heapprof
