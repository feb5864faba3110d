// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/detectable.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "check/level_of_family.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/stats/growth.h"

namespace heapprof {
namespace {

// Return what both sides would be with `factor` times as many samples: from
// more runs, or from finer sampling, which does not make runs more alike.
MeasuredSide WithMoreRuns(MeasuredSide side, double factor) {
  side.mean.variance /= factor;
  side.missed /= factor;
  side.between_runs /= factor;
  return side;
}

MeasuredSide WithFinerSampling(MeasuredSide side, double factor) {
  const double of_runs = std::max(0.0, side.between_runs - side.mean.variance);
  side.mean.variance /= factor;
  side.missed /= factor;
  side.between_runs = of_runs + side.mean.variance;
  return side;
}

using WithMoreSamples = MeasuredSide(MeasuredSide side, double factor);

// Growth is detectable if it is proven in this share of all comparisons.
constexpr double kPower = 0.9;

// Returns how many times as many samples are needed to prove growth of `target`
// bytes beyond the limit of `test`. The result is 1 or is found by doubling,
// which ends when it reaches `most`.
double SamplesFor(double target, const GrowthTest& test, double alpha,
                  double most, WithMoreSamples with_more) {
  const auto suffices = [&](double factor) {
    return DetectableGrowth({.now = with_more(test.growth.now, factor),
                             .base = with_more(test.growth.base, factor)},
                            test.limit, alpha, kPower) <= target;
  };
  double factor = 1;
  while (factor < most && !suffices(factor)) factor *= 2;
  return factor;
}

// How the dumps were sampled. If the sides differ, then as on the side with
// fewer samples, so that the advice is enough for both.
struct Sampling {
  uint64_t period = 0;
  size_t runs = 0;
};

Sampling CoarserSampling(const Sides<ComparedSide>& sides) {
  return {.period = std::max(sides.now.period, sides.base.period),
          .runs = std::max(sides.now.runs, sides.base.runs)};
}

Detectable MakeDetectable(Detectable::Subject subject, const GrowthTest& test,
                          double alpha, const Sampling& sampling) {
  const auto& [sides, limit] = test;
  const double base = sides.base.mean.value;
  Detectable row = {.subject = subject, .base = base};
  row.allowed_growth = (limit.ratio - 1) * base + limit.bytes;
  row.growth =
      row.allowed_growth + DetectableGrowth(sides, limit, alpha, kPower);
  if (row.allowed_growth <= 0 || IsUnknown(sampling.period)) return row;
  const auto period = static_cast<double>(sampling.period);
  constexpr double kMostRunsOfExact = 1024;  // instead of one run
  row.more_samples =
      SamplesFor(row.allowed_growth, test, alpha,
                 SamplesEverything(sampling.period) ? kMostRunsOfExact : period,
                 WithMoreRuns);
  if (row.more_samples == 1) return row;
  // Advice that nobody would follow is left out. Python that makes nothing but
  // small objects takes 3.5 times as long with an lg_prof_sample of 10, and 8
  // times with one of 8. How many runs are too many is a guess.
  constexpr double kFinest = 10;
  constexpr double kMostRuns = 20;
  const double finer =
      SamplesFor(row.allowed_growth, test, alpha, period, WithFinerSampling);
  const double lg = std::round(std::log2(period) - std::log2(finer));
  if (lg >= kFinest) row.lg_prof_sample = static_cast<unsigned>(lg);
  const double runs = static_cast<double>(sampling.runs) * row.more_samples;
  if (runs <= kMostRuns) row.runs = static_cast<size_t>(runs);
  return row;
}

// Returns the median, by value in the base, of the `tested` largest entries of
// the base; null if the base has none.
const ComparisonEntry* TypicalEntry(const Comparison& comparison,
                                    size_t tested) {
  std::vector<const ComparisonEntry*> entries;
  for (const ComparisonEntry& entry : comparison.entries)
    if (!entry.is_new) entries.push_back(&entry);
  std::ranges::stable_sort(entries, std::greater(),
                           [](const ComparisonEntry* entry) {
                             return entry->growth.base.mean.value;
                           });
  const size_t middle = std::min(tested, entries.size()) / 2;
  return entries.empty() ? nullptr : entries[middle];
}

}  // namespace

std::vector<Detectable> FindDetectable(const Comparison& comparison,
                                       const Budgets& budgets,
                                       const CheckResult& result) {
  using enum Detectable::Subject;
  const Sampling sampling = CoarserSampling(comparison.sides);
  const CheckSettings& settings = budgets.settings;
  const double alpha = LevelOfFamily(budgets);
  const double entry_alpha =
      alpha / static_cast<double>(std::max<size_t>(result.tested, 1));
  const Growth& total = comparison.total.growth;
  std::vector<Detectable> rows;
  if (settings.max_total_growth)
    rows.push_back(MakeDetectable(
        kTotal, {.growth = total, .limit = settings.max_total_growth->limit},
        alpha, sampling));
  const ComparisonEntry* typical = TypicalEntry(comparison, result.tested);
  if (settings.max_growth && typical != nullptr)
    rows.push_back(MakeDetectable(
        kTypicalEntry,
        {.growth = typical->growth, .limit = settings.max_growth->limit},
        entry_alpha, sampling));
  std::optional<double> new_entry;
  if (settings.max_new)
    new_entry = settings.max_new->value;
  else if (settings.max_growth)
    new_entry = settings.max_growth->limit.bytes;
  if (new_entry)
    rows.push_back(
        MakeDetectable(kNewEntry,
                       {.growth = {.now = {.missed = total.now.missed},
                                   .base = {.missed = total.base.missed}},
                        .limit = {.ratio = 1, .bytes = *new_entry}},
                       entry_alpha, sampling));
  return rows;
}

}  // namespace heapprof
