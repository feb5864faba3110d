// SPDX-License-Identifier: Apache-2.0
//
// How the entries of a comparison, such as functions, vary from run to run.
// Most of them vary alike: by sampling errors, multiplied by one dispersion.
// Others vary for a reason of their own: a buffer that doubles when it is full
// has 1 MiB in one run and 2 MiB in the next, with hardly any sampling error.
// If such entries had a part in the dispersion of all, it would hide leaks in
// the others, and would still be too small for them. So they are recognised,
// and have a variance of their own.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

// The estimates of an entry in each run of each side, divided by the number of
// runs on that side: they add up to its mean.
using RunEstimates = Sides<std::vector<Estimate>>;

// Returns the dispersion (see OverDispersion()) of the entries that vary alike:
// starting from those that vary no more than sampling explains, entries are
// added as long as the dispersion of those that have been added explains them,
// at the level 0.01.
double CommonDispersion(std::span<const RunEstimates> entries);

// Returns the variance of a run, measured between the runs of an entry, if
// these vary more than `dispersion` explains at the level `level`.
std::optional<double> OwnVariance(const RunEstimates& runs, double dispersion,
                                  double level);

// Raises the variances in `growth` of an entry to those between its own runs,
// if it varies more than `dispersion` explains at the level 0.01. Sides without
// the entry, and those on which nothing can be missed, do not change.
void WidenByOwnRuns(const RunEstimates& runs, double dispersion,
                    Growth& growth);

}  // namespace heapprof
