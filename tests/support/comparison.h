// SPDX-License-Identifier: Apache-2.0
//
// Comparisons for the tests of views, which CompareSides() is not part of.
#pragma once

#include <cstddef>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Makes `profile` a comparison in which the base holds `base` bytes of the
// stack of the sample with that index.
inline void AddBase(size_t sample, const Estimate& base, Profile& profile) {
  Sample added = {.stack = profile.samples[sample].stack, .side = Side::kBase};
  added.values[Metric::kInuseSpace] = base;
  profile.samples.push_back(added);
  profile.is_comparison = true;
}

}  // namespace heapprof
