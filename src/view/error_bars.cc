// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/error_bars.h"

#include "heapprof/view/change.h"

namespace heapprof {
namespace {

Exactness ExactnessOf(const Profile& profile, Metric metric) {
  if (IsExact(profile)) return Exactness::kExact;
  if (IsObjectCount(metric)) return Exactness::kObjectCount;
  return profile.sampling_period == 0 ? Exactness::kUnknownPeriod
                                      : Exactness::kSampled;
}

double EffectiveSamples(const Estimate& side) {
  return side.variance <= 0 ? 0 : side.value * (side.value / side.variance);
}

}  // namespace

ErrorBars::ErrorBars(const Profile& profile, Metric metric)
    : exactness_(ExactnessOf(profile, metric)),
      period_(static_cast<double>(profile.sampling_period)) {}

std::optional<Interval> ErrorBars::Of(const Estimate& side) const {
  return Of(Change{.value = side.value, .now = side});
}

std::optional<Interval> ErrorBars::Of(const Change& change) const {
  if (exactness_ != Exactness::kSampled) return std::nullopt;
  return ConfidenceInterval(change, kInfoConfidence, period_);
}

std::optional<double> ErrorBars::Samples(const Estimate& side) const {
  if (exactness_ != Exactness::kSampled) return std::nullopt;
  return EffectiveSamples(side);
}

std::optional<double> ErrorBars::Samples(const Change& change) const {
  std::optional<double> samples = Samples(change.now);
  if (samples && change.base) *samples += EffectiveSamples(*change.base);
  return samples;
}

}  // namespace heapprof
