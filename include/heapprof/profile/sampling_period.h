// SPDX-License-Identifier: Apache-2.0
//
// What a sampling period says about the errors of values. A period is in bytes:
// on average, one allocation is sampled each time that many have been
// allocated. 0 means that it is not known: then neither of these is true.
#pragma once

#include <cstdint>

namespace heapprof {

constexpr bool IsUnknown(uint64_t period) { return period == 0; }

// True if every allocation was sampled, so that values are exact.
constexpr bool SamplesEverything(uint64_t period) { return period == 1; }

// True if allocations may have been missed, so that values are estimates.
constexpr bool MayMissAllocations(uint64_t period) { return period > 1; }

}  // namespace heapprof
