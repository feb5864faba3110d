// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "heapprof/profile/profile.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

// Returns what the counts of live objects in a dump are scaled to.
inline Values ScaledValues(double objects, double bytes, double period) {
  Values values;
  const Unbiased scaled = Unbias(objects, bytes, period);
  values[Metric::kInuseObjects] = scaled.objects;
  values[Metric::kInuseSpace] = scaled.bytes;
  return values;
}

}  // namespace heapprof
