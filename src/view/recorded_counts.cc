// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/recorded_counts.h"

#include <cmath>

namespace heapprof {

std::optional<RecordedCounts> RecordedCountsOf(const Values& values,
                                               uint64_t period) {
  if (period == 0) return std::nullopt;
  const auto scale = static_cast<double>(period);
  const auto current = InvertUnbias(values[Metric::kInuseObjects].value,
                                    values[Metric::kInuseSpace].value, scale);
  const auto accumulated =
      InvertUnbias(values[Metric::kAllocObjects].value,
                   values[Metric::kAllocSpace].value, scale);
  if (!current || !accumulated) return std::nullopt;
  return RecordedCounts{*current, *accumulated};
}

double SampleCount(const Profile& profile, Metric metric) {
  const bool is_accumulated = IsAccumulated(metric);
  const auto period = static_cast<double>(profile.sampling_period);
  double count = 0;
  for (const Sample& sample : profile.samples) {
    const double objects = sample
                               .values[is_accumulated ? Metric::kAllocObjects
                                                      : Metric::kInuseObjects]
                               .value;
    const double bytes =
        sample
            .values[is_accumulated ? Metric::kAllocSpace : Metric::kInuseSpace]
            .value;
    if (period == 0)
      count += objects;
    else if (objects == 0)
      count += bytes / period;
    else
      count += objects * -std::expm1(-bytes / objects / period);
  }
  return count;
}

}  // namespace heapprof
