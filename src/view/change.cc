// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/change.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "heapprof/stats/shared_seeds.h"
#include "heapprof/stats/sum.h"

namespace heapprof {
namespace {

// The values of one side of a sample. The variances of a difference include
// both sides.
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

// The variance that threads with the same seed add to the total of a side.
double SharedVariance(const Profile& profile, Side side, Metric metric) {
  std::vector<double> by_thread(profile.threads.size());
  std::vector<bool> sampled(by_thread.size());
  for (const Sample& sample : profile.thread_samples) {
    const Values values = SideOf(profile, sample, side);
    by_thread[sample.thread.index()] += values[metric].variance;
    if (!values.AllZero()) sampled[sample.thread.index()] = true;
  }
  for (const Sample& sample : profile.filtered_thread_samples)
    if (!SideOf(profile, sample, side).AllZero())
      sampled[sample.thread.index()] = true;
  std::vector<double> variances;
  for (size_t i = 0; i < by_thread.size(); ++i)
    if (sampled[i]) variances.push_back(by_thread[i]);
  return SharedSeedVariance(std::move(variances),
                            profile.thread_stacks[static_cast<size_t>(side)]);
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

std::optional<Interval> IntervalOf(const Change& change, Metric metric,
                                   uint64_t period) {
  const bool is_sampled =
      change.now.variance > 0 || (change.base && change.base->variance > 0);
  if (IsObjectCount(metric) || !is_sampled) return std::nullopt;
  return ConfidenceInterval(change, kInfoConfidence,
                            static_cast<double>(period));
}

}  // namespace heapprof
