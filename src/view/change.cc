// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

// Returns SumOf() without what threads with the same random seed add to the
// variances.
Change SumOfValues(std::span<const Sample> samples, Metric metric) {
  Change sum;
  double size = 0;
  for (const Sample& sample : samples) {
    sum[sample.side] += sample.values[metric];
    size += std::abs(sample.values[metric].value);
  }
  // A value may be negative, because the input may be a difference itself.
  if (const double value = Difference(sum);
      value != 0 && IsRoundingError(value, size))
    sum.now.value = sum.base.value;
  return sum;
}

Change UnfilteredSum(const Profile& profile, Metric metric) {
  Change sum = SumOfValues(profile.samples, metric);
  for (const Side side : kSides)
    sum[side] += profile.filtered_out[side][metric];
  return sum;
}

}  // namespace

double WholeChange(const Change& change) {
  return WholeValue(change.now.value) - WholeValue(change.base.value);
}

void MakeNonNegative(Change& change) {
  const double least = std::min({0.0, change.now.value, change.base.value});
  change.now.value -= least;
  change.base.value -= least;
}

void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const EntriesOfSample& entries_of,
                        std::span<Change> sums) {
  for (const auto& [entry, side, run, variance] :
       SharedSeeds(profile).Of(samples, metric, sums.size(), entries_of))
    sums[entry][side].variance += variance;
}

Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric) {
  Change sum = SumOfValues(samples, metric);
  AddSharedVariances(profile, samples, metric, AllInOneEntry, {&sum, 1});
  return sum;
}

Change TotalChange(const Profile& profile, Metric metric) {
  return SumOf(profile, profile.samples, metric);
}

double UnfilteredChange(const Profile& profile, Metric metric) {
  return Difference(UnfilteredSum(profile, metric));
}

Change UnfilteredTotal(const Profile& profile, Metric metric) {
  Change sum = UnfilteredSum(profile, metric);
  const std::vector<Sample>& left = profile.thread_samples;
  const std::vector<Sample>& filtered = profile.filtered_thread_samples;
  std::vector<Sample> joined;
  if (!filtered.empty()) {
    joined = left;
    joined.insert(joined.end(), filtered.begin(), filtered.end());
  }
  AddSharedVariances(profile, filtered.empty() ? left : joined, metric,
                     AllInOneEntry, {&sum, 1});
  return sum;
}

bool IsExact(const Profile& profile) {
  return SamplesEverything(profile.sampling_period);
}

}  // namespace heapprof
