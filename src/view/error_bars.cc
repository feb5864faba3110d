// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/error_bars.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "heapprof/profile/sampling_period.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/change.h"

namespace heapprof {
namespace {

// True if the profile shows how runs vary.
bool HasVariation(const Profile& profile, Metric metric) {
  const Dispersion& dispersion =
      profile.dispersions[static_cast<size_t>(metric)];
  return std::isfinite(DegreesOf(dispersion.entries));
}

Exactness ExactnessOf(const Profile& profile, Metric metric) {
  const bool is_exact = IsExact(profile);
  if (is_exact && !HasVariation(profile, metric)) return Exactness::kExact;
  if (IsObjectCount(metric)) return Exactness::kObjectCount;
  return profile.sampling_period == 0 ? Exactness::kUnknownPeriod
                                      : Exactness::kEstimated;
}

// Returns of how many runs the values of a side are the mean.
size_t RunsInMean(const Profile& profile, Side side) {
  return profile.is_mean_of_runs ? RunsOf(profile, side).size() : 1;
}

// Returns ErrorModel::missed for a side of a profile with error bars.
std::optional<double> MissedOf(const Profile& profile, Metric metric,
                               Side side) {
  const std::vector<InputRun> runs = RunsOf(profile, side);
  const uint64_t longest =
      std::ranges::max_element(runs, {}, &InputRun::sampling_period)
          ->sampling_period;
  if (!MayMissAllocations(longest))
    return HasVariation(profile, metric) ? std::optional(0.0) : std::nullopt;
  return static_cast<double>(longest) /
         static_cast<double>(RunsInMean(profile, side));
}

double EffectiveSamples(const Estimate& side) {
  return side.variance <= 0 ? 0 : side.value * (side.value / side.variance);
}

double PeriodsOfSample(const Estimate& sum, double period) {
  if (sum.value <= 0 || period == 0) return 1;
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
      dispersion_(profile.dispersions[static_cast<size_t>(metric)]),
      runs_{RunsInMean(profile, Side::kNew), RunsInMean(profile, Side::kBase)} {
  if (exactness_ != Exactness::kEstimated) return;
  for (const Side side : kSides)
    missed_[side] = MissedOf(profile, metric, side);
  if (SharedSeeds(profile).IsPossible())
    repetition_ = RepetitionOf(profile, metric, missed_);
}

const RunVariation& ErrorBars::VariationOf(Extent extent) const {
  return extent == Extent::kTotal ? dispersion_.total : dispersion_.entries;
}

double ErrorBars::WideningOf(Extent extent, double tail) const {
  return FactorOfVariance(DegreesOf(VariationOf(extent)), tail);
}

MeasuredSide ErrorBars::Measured(const Estimate& value, Side side,
                                 Extent extent,
                                 const RunVariation& variation) const {
  const std::optional<double>& missed = missed_[side];
  if (!missed) return {.mean = {value.value, 0}};
  MeasuredSide measured = {
      .mean = value,
      .missed = *missed * repetition_.Of(value, *missed, extent)};
  AddVariation(variation, runs_[side], measured);
  return measured;
}

Growth ErrorBars::GrowthOf(const Change& change, Extent extent) const {
  Growth growth = GrowthOf(change, extent, VariationOf(extent));
  AllowForAbsence(Side::kNew, growth.base, growth.now);
  AllowForAbsence(Side::kBase, growth.now, growth.base);
  return growth;
}

Growth ErrorBars::GrowthOf(const Change& change, Extent extent,
                           const RunVariation& variation) const {
  return {.now = Measured(change.now, Side::kNew, extent, variation),
          .base = Measured(change.base, Side::kBase, extent, variation)};
}

void ErrorBars::AllowForAbsence(Side side, const MeasuredSide& other,
                                MeasuredSide& absent) const {
  const auto& [value, variance] = other.mean;
  if (absent.mean.value == 0 && missed_[side] == 0.0 && value > 0 &&
      2 * variance >= value * value && variance > value * other.missed)
    absent.missed = value;
}

std::optional<Interval> ErrorBars::Of(const Estimate& value, Side side,
                                      Extent extent) const {
  if (exactness_ != Exactness::kEstimated || IsExact(side)) return std::nullopt;
  return ConfidenceInterval(Measured(value, side, extent, VariationOf(extent)),
                            kConfidence);
}

std::optional<Interval> ErrorBars::Of(const Change& change,
                                      Extent extent) const {
  return is_comparison_ ? OfDifference(change, extent)
                        : Of(change.now, Side::kNew, extent);
}

std::optional<Interval> ErrorBars::OfDifference(const Change& change,
                                                Extent extent) const {
  if (exactness_ != Exactness::kEstimated) return std::nullopt;
  return ConfidenceInterval(GrowthOf(change, extent), kConfidence);
}

std::vector<bool> ErrorBars::FindProven(std::span<const Change> shown,
                                        std::span<const Change> judged,
                                        Extent extent) const {
  std::vector<bool> proven;
  if (exactness_ != Exactness::kEstimated) {
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
  if (exactness_ != Exactness::kEstimated) return std::nullopt;
  return ErrorModel{.missed = missed_,
                    .entries = VariationOfSumsIn(Extent::kEntry),
                    .total = VariationOfSumsIn(Extent::kTotal)};
}

VariationOfSums ErrorBars::VariationOfSumsIn(Extent extent) const {
  const RunVariation& variation = VariationOf(extent);
  VariationOfSums of_sums = {
      .sampling = variation.sampling,
      .widening = WideningOf(extent, (1 - kConfidence) / 2)};
  for (const Side side : kSides)
    of_sums.relative[side] = variation.varying * variation.relative /
                             static_cast<double>(runs_[side]);
  return of_sums;
}

std::optional<double> ErrorBars::Samples(const Estimate& value,
                                         Side side) const {
  if (exactness_ != Exactness::kEstimated || missed_[side].value_or(0) == 0)
    return std::nullopt;
  return EffectiveSamples(value);
}

std::optional<double> ErrorBars::Samples(const Change& change) const {
  if (exactness_ != Exactness::kEstimated) return std::nullopt;
  return Samples(change.now, Side::kNew).value_or(0) +
         Samples(change.base, Side::kBase).value_or(0);
}

}  // namespace heapprof
