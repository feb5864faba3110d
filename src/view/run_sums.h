// SPDX-License-Identifier: Apache-2.0
//
// Adds up the values of a comparison by side and run. A side may have several
// runs (dumps). CompareSides() has divided their values by their number, so
// that the sum over the runs of a side is their mean.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/samples_by_stack.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/run_variation.h"
#include "heapprof/view/change.h"
#include "heapprof/view/comparison_entries.h"
#include "heapprof/view/error_bars.h"

namespace heapprof {

// One sum for each run of each side; without a mean, one for each side.
using RunSums = RunEstimates;

// Describes a side of a comparison. Does not set `dispersion` and `total`.
ComparedSide ComparedSideOf(const Profile& profile, Side side);

RunSums EmptySums(const Profile& profile);

void Add(const Sample& sample, Metric metric, RunSums& sums);

// Adds what threads with the same random seed add to the variances of `sums`,
// which are indexed by entry.
void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const EntriesOfSample& entries_of,
                        std::span<RunSums> sums);

// Returns the sums over the runs.
Change MeansOf(const RunSums& sums);

// Returns both sides of an entry as the tests of growth need them. `variation`
// is that of entries like it; its own runs moderate it.
Growth GrowthOf(const RunSums& sums, const ErrorBars& bars, Extent extent,
                const RunVariation& variation);

// Returns the growth of some stacks together, as of an entry. `is_counted` is
// by StackId; `samples` are all samples of the profile.
Growth GrowthOfStacks(const Profile& profile, const SamplesByStack& samples,
                      const std::vector<bool>& is_counted, Metric metric,
                      const RunVariation& variation);

// Returns the interval of such an entry, as ErrorBars::Of() does for one whose
// runs are unknown, but moderated by these.
std::optional<Interval> IntervalOf(const RunSums& sums, const ErrorBars& bars,
                                   Extent extent);

// Returns the interval of the share of an entry, between 0 and 1; `rest` is
// what all samples hold that are not in it. Nothing in a comparison, or if
// either is negative.
std::optional<Interval> ShareIntervalOf(const RunSums& part,
                                        const RunSums& rest,
                                        const ErrorBars& bars);

}  // namespace heapprof
