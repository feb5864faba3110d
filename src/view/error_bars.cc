// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/error_bars.h"

#include <algorithm>
#include <vector>

#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/change.h"

namespace heapprof {
namespace {

Exactness ExactnessOf(const Profile& profile, Metric metric) {
  if (IsExact(profile)) return Exactness::kExact;
  if (IsObjectCount(metric)) return Exactness::kObjectCount;
  return profile.sampling_period == 0 ? Exactness::kUnknownPeriod
                                      : Exactness::kSampled;
}

// Returns ErrorModel::missed for a side of a profile with error bars.
std::optional<double> MissedOf(const Profile& profile, Side side) {
  const std::vector<InputRun> runs = RunsOf(profile, side);
  const uint64_t longest =
      std::ranges::max_element(runs, {}, &InputRun::sampling_period)
          ->sampling_period;
  if (!MayMissAllocations(longest)) return std::nullopt;
  const size_t count = profile.is_mean_of_runs ? runs.size() : 1;
  return static_cast<double>(longest) / static_cast<double>(count);
}

double EffectiveSamples(const Estimate& side) {
  return side.variance <= 0 ? 0 : side.value * (side.value / side.variance);
}

double PeriodsOfSample(const Estimate& sum, double period) {
  if (sum.value <= 0) return 1;
  return std::max(1.0, sum.variance / (sum.value * period));
}

// Returns the repetition of the side where it is larger: the other side may
// have missed the samples of threads with the same seed altogether.
SampleRepetition RepetitionOf(const Profile& profile, Metric metric,
                              const Sides<std::optional<double>>& periods) {
  const Change total = TotalChange(profile, metric);
  SampleRepetition repetition;
  for (const Side side : kSides)
    if (const auto& period = periods[side]; period)
      repetition.Raise({total[side], *period});
  return repetition;
}

// Returns whether both have grown, or both have shrunk.
bool ChangeAlike(const Change& a, const Change& b) {
  return Difference(a) * Difference(b) > 0;
}

}  // namespace

Metric JudgingMetric(const Profile& profile, Metric metric) {
  const Metric bytes = BytesOf(metric);
  return HasValue(profile, bytes) ? bytes : metric;
}

SampleRepetition::SampleRepetition(const Estimate& total, double period)
    : of_total_(PeriodsOfSample(total, period)) {}

void SampleRepetition::Raise(const SampleRepetition& other) {
  of_total_ = std::max(of_total_, other.of_total_);
}

double SampleRepetition::Of(const Estimate& sum, double period,
                            Extent extent) const {
  if (of_total_ == 1) return 1;
  const double of_sum = PeriodsOfSample(sum, period);
  return extent == Extent::kThread ? of_sum : std::max(of_sum, of_total_);
}

ErrorBars::ErrorBars(const Profile& profile, Metric metric)
    : is_comparison_(profile.is_comparison),
      exactness_(ExactnessOf(profile, metric)),
      model_{.dispersion = profile.dispersions[static_cast<size_t>(metric)]} {
  if (exactness_ != Exactness::kSampled) return;
  for (const Side side : kSides) model_.missed[side] = MissedOf(profile, side);
  const SharedSeeds seeds(profile);
  if (seeds.IsPossible(Side::kNew) || seeds.IsPossible(Side::kBase))
    repetition_ = RepetitionOf(profile, metric, model_.missed);
}

double ErrorBars::DispersionOf(Extent extent) const {
  const Dispersion& dispersions = model_.dispersion;
  return extent == Extent::kTotal ? dispersions.total : dispersions.entries;
}

MeasuredSide ErrorBars::Measured(const Estimate& value, Side side,
                                 Extent extent, double dispersion) const {
  const std::optional<double>& missed = model_.missed[side];
  if (!missed) return {.mean = {value.value, 0}};
  return {
      .mean = {value.value, value.variance * dispersion},
      .missed = *missed * repetition_.Of(value, *missed, extent) * dispersion};
}

Growth ErrorBars::GrowthOf(const Change& change, Extent extent) const {
  return GrowthOf(change, extent, DispersionOf(extent));
}

Growth ErrorBars::GrowthOf(const Change& change, Extent extent,
                           double dispersion) const {
  return {.now = Measured(change.now, Side::kNew, extent, dispersion),
          .base = Measured(change.base, Side::kBase, extent, dispersion)};
}

std::optional<Interval> ErrorBars::Of(const Estimate& value, Side side,
                                      Extent extent) const {
  if (exactness_ != Exactness::kSampled || IsExact(side)) return std::nullopt;
  return ConfidenceInterval(Measured(value, side, extent, DispersionOf(extent)),
                            kConfidence);
}

std::optional<Interval> ErrorBars::Of(const Change& change,
                                      Extent extent) const {
  return is_comparison_ ? OfDifference(change, extent)
                        : Of(change.now, Side::kNew, extent);
}

std::optional<Interval> ErrorBars::OfDifference(const Change& change,
                                                Extent extent) const {
  if (exactness_ != Exactness::kSampled) return std::nullopt;
  return ConfidenceInterval(GrowthOf(change, extent), kConfidence);
}

std::vector<bool> ErrorBars::FindProven(std::span<const Change> shown,
                                        std::span<const Change> judged,
                                        Extent extent) const {
  std::vector<bool> proven;
  if (exactness_ != Exactness::kSampled) {
    for (const Change& change : shown)
      proven.push_back(Difference(change) != 0);
    return proven;
  }
  std::vector<Growth> growths;
  for (const Change& change : judged)
    growths.push_back(GrowthOf(change, extent));
  proven = FindChanges(growths, 1 - kConfidence).changed;
  for (size_t i = 0; i < shown.size(); ++i)
    if (!ChangeAlike(shown[i], judged[i])) proven[i] = false;
  return proven;
}

std::optional<ErrorModel> ErrorBars::Model() const {
  if (exactness_ != Exactness::kSampled) return std::nullopt;
  return model_;
}

std::optional<double> ErrorBars::Samples(const Estimate& value,
                                         Side side) const {
  if (exactness_ != Exactness::kSampled || IsExact(side)) return std::nullopt;
  return EffectiveSamples(value);
}

std::optional<double> ErrorBars::Samples(const Change& change) const {
  if (exactness_ != Exactness::kSampled) return std::nullopt;
  return Samples(change.now, Side::kNew).value_or(0) +
         Samples(change.base, Side::kBase).value_or(0);
}

}  // namespace heapprof
