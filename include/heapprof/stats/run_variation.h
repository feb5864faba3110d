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

#include <cstddef>
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

// Returns by which factor the runs vary more than sampling explains: the
// observed variance between the runs of a side, divided by the variance of
// their sampling errors (Estimate::variance), pooled over all sides with three
// or more runs (quasi-Poisson: McCullagh and Nelder 1989, section 4.5). The
// result is at least 1, and 1 if no side has three runs. `sides` has a list for
// each side (of each entry): the estimates in its runs.
//
// Because a few runs may agree by chance, the ratio is multiplied by (t/z)^2,
// where t and z are the quantiles at 0.05 of Student's t and of the normal
// distribution. This makes it 1.7 times as large for two sides of three runs,
// and 1.1 times for two sides of ten. The probability that a test at level 0.05
// reports growth wrongly is then at most 0.05, whatever the true dispersion is.
//
// The test of the total uses the dispersion of the total, because a cause that
// makes a whole run larger hardly shows in a single entry. The tests of entries
// share one dispersion, pooled over the runs of those that vary alike (see
// CommonDispersion()): because there are many of these tests, the level of each
// is small, and a small level needs a precise dispersion. In a simulation with
// three runs and a dispersion of 4, tests of entries found 96 % of the leaks of
// 10 MB with the pooled dispersion, but only 39 % with the dispersion of the
// total.
double OverDispersion(std::span<const std::vector<Estimate>> sides);

// True if the variance between the runs of a side with this many is computed.
bool CanVary(size_t runs);

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
