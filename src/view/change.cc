// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <cmath>
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

void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const EntriesOfSample& entries_of,
                        std::span<SideSums> sums) {
  for (const auto& [entry, side, run, variance] :
       SharedSeeds(profile).Of(samples, metric, sums.size(), entries_of))
    sums[entry][IndexOf(side)].variance += variance;
}

Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric) {
  SideSums sums;
  double size = 0;
  for (const Sample& sample : samples) {
    sums[IndexOf(sample.side)] += sample.values[metric];
    size += std::abs(sample.values[metric].value);
  }
  AddSharedVariances(profile, samples, metric, AllInOneEntry, {&sums, 1});
  Change change = ChangeOf(profile, sums);
  // A value may be negative, because the input may be a difference itself.
  if (IsRoundingError(change.value, size)) change.value = 0;
  return change;
}

Change TotalChange(const Profile& profile, Metric metric) {
  return SumOf(profile, profile.samples, metric);
}

Change UnfilteredTotal(const Profile& profile, Metric metric) {
  SideSums sums;
  for (const Sample& sample : profile.samples)
    sums[IndexOf(sample.side)] += sample.values[metric];
  for (const Side side : kSides)
    sums[IndexOf(side)] += profile.filtered_out[IndexOf(side)][metric];
  std::vector<Sample> by_thread = profile.thread_samples;
  by_thread.insert(by_thread.end(), profile.filtered_thread_samples.begin(),
                   profile.filtered_thread_samples.end());
  AddSharedVariances(profile, by_thread, metric, AllInOneEntry, {&sums, 1});
  return ChangeOf(profile, sums);
}

bool IsExact(const Profile& profile) { return profile.sampling_period == 1; }

}  // namespace heapprof
