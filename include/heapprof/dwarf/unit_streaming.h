// SPDX-License-Identifier: Apache-2.0
//
// How units are read while .debug_info is still being inflated.
#pragma once

#include <cstdint>

namespace heapprof {

// Sizes are in inflated bytes.
struct UnitStreaming {
  // A smaller section is inflated before any unit is read.
  uint64_t min_size = 1 << 20;
  // Reading resumes each time this much more has been inflated.
  uint64_t step = 8 << 20;
};

}  // namespace heapprof
