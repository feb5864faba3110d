// SPDX-License-Identifier: Apache-2.0
//
// Sums of samples. They have the estimates of both sides, because the error
// bars of a comparison are computed from both.
#pragma once

#include <span>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/sum.h"

namespace heapprof {

// Returns the change in whole bytes or objects. In a comparison, each side is
// rounded first, so that the values of both sides and the change, as reports
// show them, add up.
double WholeChange(const Change& change);

// Makes both values at least 0 without changing their difference. Without a
// comparison, a negative value, which an input that is a difference itself may
// have, thus becomes one of the base.
void MakeNonNegative(Change& change);

// Adds up `samples`, which must be samples of `profile`. The variances of the
// sums allow for threads that sample with the same random seed, because their
// sampling errors add up instead of averaging out (see SharedSeeds).
Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric);

// Adds to `sums`, the sums of `samples` by entry, what threads with the same
// random seed add to their errors.
void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const EntriesOfSample& entries_of,
                        std::span<Change> sums);

// Returns the sum of all samples.
Change TotalChange(const Profile& profile, Metric metric);

// Returns the change of the total before filters: the sum of the samples that
// they left and that they removed.
double UnfilteredChange(const Profile& profile, Metric metric);

// Returns the same with both sides and their variances.
Change UnfilteredTotal(const Profile& profile, Metric metric);

// True if every allocation was sampled, see SamplesEverything(). Variances do
// not show this: they are above 0 even then, because they are computed as for
// any other period.
bool IsExact(const Profile& profile);

}  // namespace heapprof
