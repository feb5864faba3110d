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
  SampledCount current;
  SampledCount accumulated;
};

// Returns nothing if `values` are not integers that were scaled for `period`,
// but sums of estimates, for example, or values of a dump with another period.
std::optional<RecordedCounts> RecordedCountsOf(const Values& values,
                                               uint64_t period);

}  // namespace heapprof
