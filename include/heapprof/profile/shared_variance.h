// SPDX-License-Identifier: Apache-2.0
//
// How much threads that sample with the same random seed add to the error of a
// total; see SharedSeedVariance().
#pragma once

#include <array>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns what must be added to the variance of the total of each run: indexed
// by Side, then like RunsOf(). It depends on the samples by thread, and on how
// many threads have samples, including those that filters removed.
std::array<std::vector<double>, 2> SharedVariances(const Profile& profile,
                                                   Metric metric);

}  // namespace heapprof
