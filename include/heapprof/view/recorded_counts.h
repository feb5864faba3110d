// SPDX-License-Identifier: Apache-2.0
//
// Converts estimates back to the counts of the dump.
#pragma once

#include <cstdint>
#include <optional>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

struct RecordedCounts {
  SampledCount current;      // live objects
  SampledCount accumulated;  // all objects allocated so far
};

// Returns the counts from which `values` were scaled for the sampling period
// `period`. Returns nothing if there are no such integer counts, for example if
// `values` are sums of estimates or were scaled for another period.
std::optional<RecordedCounts> RecordedCountsOf(const Values& values,
                                               uint64_t period);

}  // namespace heapprof
