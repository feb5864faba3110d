// SPDX-License-Identifier: Apache-2.0
//
// Adds up the values of a comparison by side and run. A side may have several
// runs (dumps). CompareSides() has divided their values by their number, so
// that the sum over the runs of a side is their mean.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/change.h"
#include "heapprof/view/comparison_entries.h"

namespace heapprof {

// One sum for each run of each side.
using RunSums = Sides<std::vector<Estimate>>;

// Describes a side of a comparison. Does not set `dispersion` and `total`.
ComparedSide ComparedSideOf(const Profile& profile, Side side);

RunSums EmptySums(const Comparison& comparison);

void Add(const Sample& sample, Metric metric, RunSums& sums);

// Returns the sums over the runs.
Change MeansOf(const RunSums& sums);

}  // namespace heapprof
