// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <algorithm>
#include <cmath>

#include "heapprof/stats/sum.h"
#include "view/thread_variances.h"

namespace heapprof {
namespace {

// Returns the values of one side of a sample, which may be a difference. The
// value of the new side is the difference plus the base. The variance of a
// difference is the sum of the variances of both sides; therefore, the variance
// of the new side is that sum minus the variance of the base.
Values SideOf(const Profile& profile, const Sample& sample, Side side) {
  const Values& base = profile.bases[sample.base];
  if (side == Side::kBase) return base;
  Values now = sample.values;
  for (size_t i = 0; i < kMetricCount; ++i) {
    Estimate& estimate = now.by_metric[i];
    estimate.value += base.by_metric[i].value;
    estimate.variance =
        std::max(0.0, estimate.variance - base.by_metric[i].variance);
  }
  return now;
}

// Returns what must be added to the variance of a side's total because threads
// sample with the same random seed.
double SharedVariance(const Profile& profile, Side side, Metric metric) {
  ThreadVariances threads(profile.threads.size());
  for (const Sample& sample : profile.thread_samples)
    threads.Add(sample.thread, SideOf(profile, sample, side), metric);
  for (const Sample& sample : profile.filtered_thread_samples)
    threads.AddFiltered(sample.thread, SideOf(profile, sample, side));
  return threads.Shared(profile.thread_stacks[static_cast<size_t>(side)]);
}

}  // namespace

Change SumOf(const Profile& profile, std::span<const Sample> samples,
             Metric metric) {
  CancellingSum sum;
  Estimate now, base;
  for (const Sample& sample : samples) {
    const Estimate of_now = SideOf(profile, sample, Side::kNew)[metric];
    const Estimate& of_base = profile.bases[sample.base][metric];
    sum.Add(sample.values[metric].value,
            std::abs(of_now.value) + std::abs(of_base.value));
    now += of_now;
    base += of_base;
  }
  Change change = {.value = sum.value(), .now = now, .base = {}};
  if (profile.is_difference) change.base = base;
  return change;
}

Change TotalChange(const Profile& profile, Metric metric) {
  Change change = SumOf(profile, profile.samples, metric);
  change.now.variance += SharedVariance(profile, Side::kNew, metric);
  if (change.base)
    change.base->variance += SharedVariance(profile, Side::kBase, metric);
  return change;
}

Change UnfilteredTotal(const Profile& profile, Metric metric) {
  Change total = TotalChange(profile, metric);
  const Estimate& removed = profile.filtered_out[metric];
  const Estimate& removed_base = profile.filtered_out_base[metric];
  total.value += removed.value;
  total.now.value += removed.value + removed_base.value;
  total.now.variance += std::max(0.0, removed.variance - removed_base.variance);
  if (total.base) *total.base += removed_base;
  return total;
}

bool IsExact(const Profile& profile) { return profile.sampling_period == 1; }

}  // namespace heapprof
