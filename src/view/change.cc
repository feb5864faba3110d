// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <cmath>
#include <numeric>
#include <vector>

#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {

Change ChangeOf(const Profile& profile, const SideSums& sums) {
  const auto& [now, base] = sums;
  if (!profile.is_comparison) return {.value = now.value, .now = now};
  return {.value = Difference(now.value, base.value), .now = now, .base = base};
}

double WholeChange(const Change& change) {
  if (!change.base) return WholeValue(change.value);
  return WholeValue(change.now.value) - WholeValue(change.base->value);
}

Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric) {
  SideSums sums;
  double size = 0;
  for (const Sample& sample : samples) {
    sums[IndexOf(sample.side)] += sample.values[metric];
    size += std::abs(sample.values[metric].value);
  }
  Change change = ChangeOf(profile, sums);
  // A value may be negative, because the input may be a difference itself.
  if (IsRoundingError(change.value, size)) change.value = 0;
  return change;
}

Change TotalChange(const Profile& profile, Metric metric) {
  Change change = SumOf(profile, profile.samples, metric);
  const auto shared = SharedVariances(profile, metric);
  const auto sum = [](const std::vector<double>& variances) {
    return std::accumulate(variances.begin(), variances.end(), 0.0);
  };
  change.now.variance += sum(shared[IndexOf(Side::kNew)]);
  if (change.base) change.base->variance += sum(shared[IndexOf(Side::kBase)]);
  return change;
}

Change UnfilteredTotal(const Profile& profile, Metric metric) {
  const Change total = TotalChange(profile, metric);
  SideSums sums = {total.now, total.base.value_or(Estimate())};
  for (const Side side : kSides)
    sums[IndexOf(side)] += profile.filtered_out[IndexOf(side)][metric];
  return ChangeOf(profile, sums);
}

bool IsExact(const Profile& profile) { return profile.sampling_period == 1; }

}  // namespace heapprof
