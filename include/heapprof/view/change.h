// SPDX-License-Identifier: Apache-2.0
//
// Sums of samples. In a comparison, a sum has the estimates of both sides,
// because its error bars are computed from both.
#pragma once

#include <array>
#include <span>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// The confidence level of the intervals in all reports.
inline constexpr double kInfoConfidence = 0.95;

// Indexed by Side. Without a comparison, only the new side has values.
using SideSums = std::array<Estimate, 2>;

// Returns the change between two sums of samples of `profile`. It is exactly 0
// if only a rounding error is left.
Change ChangeOf(const Profile& profile, const SideSums& sums);

// Returns the change in whole bytes or objects. In a comparison, each side is
// rounded first, so that the values of both sides and the change, as reports
// show them, add up.
double WholeChange(const Change& change);

// Adds up `samples`, which must be samples of `profile`. The variances of the
// sums allow for threads that sample with the same random seed, because their
// sampling errors add up instead of averaging out (see SharedSeeds).
Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric);

// Adds to `sums`, the sums of `samples` by entry, what threads with the same
// random seed add to their errors.
void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const EntriesOfSample& entries_of,
                        std::span<SideSums> sums);

// Returns the sum of all samples.
Change TotalChange(const Profile& profile, Metric metric);

// Returns TotalChange() plus the samples that filters removed.
Change UnfilteredTotal(const Profile& profile, Metric metric);

// True if every allocation was sampled, because the sampling period is 1 byte.
// Variances do not show this: they are above 0 even then, because they are
// computed as for any other period.
bool IsExact(const Profile& profile);

}  // namespace heapprof
