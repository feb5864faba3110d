// SPDX-License-Identifier: Apache-2.0
//
// What a heap dump says about the whole heap, to be compared with jemalloc's
// own counters.
#pragma once

#include <cstdint>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

struct DumpSamples {
  double live = 0;            // estimate of the live bytes
  Interval bounds = {};       // at 95 %
  Interval wide_bounds = {};  // at 99.7 %: three standard errors
  // Sampled live objects below the limit, and their bytes. A stack is below it
  // if its mean object is.
  uint64_t small_objects = 0;
  uint64_t small_bytes = 0;
};

// `small_limit` is the size from which jemalloc gives each object an extent, in
// bytes.
DumpSamples DescribeSamples(const Profile& profile, uint64_t small_limit);

}  // namespace heapprof
