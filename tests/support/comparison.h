// SPDX-License-Identifier: Apache-2.0
//
// Comparisons for the tests of views, which CompareSides() is not part of.
#pragma once

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/profile/profile.h"
#include "support/test_profile.h"

namespace heapprof {

// Makes `profile` a comparison in which the base holds `base` bytes of the
// stack of the sample with that index.
inline void AddBase(size_t sample, const Estimate& base, Profile& profile) {
  Sample added = {.stack = profile.samples[sample].stack, .side = Side::kBase};
  added.values[Metric::kInuseSpace] = base;
  profile.samples.push_back(added);
  profile.is_comparison = true;
}

// Returns a comparison in which `stack` holds 30 objects of `now` bytes in all,
// after 20 of `base` bytes. One sample per 1000 bytes.
inline Profile ComparedObjects(std::string_view stack, double now,
                               double base) {
  Profile profile = ProfileOf(fmt::format("{} {}\n", stack, now));
  profile.sampling_period = 1000;
  AddBase(0, {.value = base}, profile);
  for (Sample& sample : profile.samples) {
    Estimate& bytes = sample.values[Metric::kInuseSpace];
    bytes.variance = 1000 * bytes.value;
    sample.values[Metric::kInuseObjects].value =
        sample.side == Side::kNew ? 30 : 20;
  }
  return profile;
}

}  // namespace heapprof
