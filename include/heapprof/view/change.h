// SPDX-License-Identifier: Apache-2.0
//
// Sums of samples, with what their error bars require: in a difference, the
// estimates of both sides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

// The confidence level of the intervals in all reports.
inline constexpr double kInfoConfidence = 0.95;

// Adds up `samples`, which must be samples of `profile`.
Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric);

// The sum of all samples. Its variance allows for threads that sample with the
// same random seed: their errors add up instead of averaging out.
Change TotalChange(const Profile& profile, Metric metric);

// TotalChange() with the samples that filters removed.
Change UnfilteredTotal(const Profile& profile, Metric metric);

// True if every allocation was sampled. The estimate treats a period of 1 byte
// like any other, so some variance remains.
bool IsExact(const Profile& profile);

// The confidence interval of `change`; nothing if it is exact or a number of
// objects. Numbers of objects have no interval, because the sizes of the
// objects, on which it depends, are not known well enough.
std::optional<Interval> IntervalOf(const Change& change, Metric metric,
                                   uint64_t period);

}  // namespace heapprof
