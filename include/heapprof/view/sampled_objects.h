// SPDX-License-Identifier: Apache-2.0
//
// What every report calls "samples": the number of sampled objects that a value
// comes from. They are the objects in the counts of the dump, which are lost
// when these are scaled to estimates; so this computes them from the estimates.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// True if the number of samples says something: the input says how it was
// sampled, and some objects may have been missed.
bool CountsSamples(const Profile& profile);

// Returns copies of `samples` that have their numbers of sampled objects in
// place of the values of `metric`. They can be added up like values. In a mean
// of runs, the objects of all runs count. If a profile has no numbers of
// objects, the objects are assumed to be small.
std::vector<Sample> CountSampled(const Profile& profile,
                                 std::span<const Sample> samples,
                                 Metric metric);

using SampleNumbers = Sides<double>;

inline double BothSides(const SampleNumbers& numbers) {
  return numbers.now + numbers.base;
}

// Returns the sums over `samples`; nothing unless CountsSamples().
std::optional<SampleNumbers> SampledObjects(const Profile& profile,
                                            std::span<const Sample> samples,
                                            Metric metric);

}  // namespace heapprof
