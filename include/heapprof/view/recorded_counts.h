// SPDX-License-Identifier: Apache-2.0
//
// Estimates as the counts of the dump that they were made of.
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

// Nothing if scaling makes these values of no integers: a sum of estimates, or
// one of another format or period.
std::optional<RecordedCounts> RecordedCountsOf(const Values& values,
                                               uint64_t period);

}  // namespace heapprof
