// SPDX-License-Identifier: Apache-2.0
//
// Sums of samples with the data for their error bars: for a difference, both
// sides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// The confidence of the error bars of all totals.
inline constexpr double kInfoConfidence = 0.95;

// The sum of `samples`, which belong to the profile.
Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric);

// The sum of all samples. Its variance includes the contribution of threads
// with the same seed.
Change TotalChange(const Profile& profile, Metric metric);

// The confidence interval of `change`. Only for sampled bytes: the sizes of
// objects are not known well enough to give bounds for their number.
std::optional<Interval> IntervalOf(const Change& change, Metric metric,
                                   uint64_t period);

}  // namespace heapprof
