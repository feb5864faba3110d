// SPDX-License-Identifier: Apache-2.0
//
// Sums over samples with what error bars are made of: for a difference, both of
// its sides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// The error bars of all totals.
inline constexpr double kInfoConfidence = 0.95;

// What `samples` of the profile add up to.
Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric);

// What all of them add up to, with what threads of one seed add to the error.
Change TotalChange(const Profile& profile, Metric metric);

// Only of bytes that were sampled: the sizes of the objects are not known well
// enough to bound their number.
std::optional<Interval> IntervalOf(const Change& change, Metric metric,
                                   uint64_t period);

}  // namespace heapprof
