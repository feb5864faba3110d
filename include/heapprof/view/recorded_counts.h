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

// Nothing if `values` do not result from scaling integers, such as sums of
// estimates, or values of another format or period.
std::optional<RecordedCounts> RecordedCountsOf(const Values& values,
                                               uint64_t period);

}  // namespace heapprof
