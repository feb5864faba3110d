// SPDX-License-Identifier: Apache-2.0
//
// How many inlined calls are kept. No real program comes near: most have
// between 1 and 5 at an address.
#pragma once

#include <cstdint>

namespace heapprof {

inline constexpr uint32_t kCallsPerAddress = 32;

// Returns how many calls many addresses may have together. Few addresses keep
// all their calls.
constexpr uint64_t AllowedCalls(uint64_t addresses) {
  constexpr uint64_t kAlwaysAllowed = 1 << 20;
  return kCallsPerAddress * addresses + kAlwaysAllowed;
}

}  // namespace heapprof
