// SPDX-License-Identifier: Apache-2.0
//
// Differences for the tests of views, which Subtract() is not part of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Subtracts `base` bytes, an estimate with this variance, from the sample with
// that index.
inline void SubtractFrom(size_t sample, double base, double variance,
                         Profile& profile) {
  Sample& changed = profile.samples[sample];
  changed.base = static_cast<uint32_t>(profile.bases.size());
  Values values;
  values[Metric::kInuseSpace] = {base, variance};
  profile.bases.push_back(values);
  changed.values -= values;
  profile.is_difference = true;
}

}  // namespace heapprof
