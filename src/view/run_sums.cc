// SPDX-License-Identifier: Apache-2.0
#include "view/run_sums.h"

#include <algorithm>
#include <ranges>

#include "heapprof/profile/sampling_period.h"

namespace heapprof {
namespace {

bool HasIntervals(const ErrorBars& bars) {
  return bars.exactness() == Exactness::kEstimated &&
         (bars.is_comparison() || !bars.IsExact(Side::kNew));
}

}  // namespace

ComparedSide ComparedSideOf(const Profile& profile, Side side) {
  const std::vector<InputRun> runs = RunsOf(profile, side);
  const auto periods = std::views::transform(runs, &InputRun::sampling_period);
  return {.runs = runs.size(),
          .period = std::ranges::max(periods),
          .is_exact = std::ranges::all_of(periods, SamplesEverything)};
}

RunSums EmptySums(const Profile& profile) {
  RunSums sums;
  // How much runs differ says nothing about their sum.
  for (const Side side : kSides)
    sums[side].resize(profile.is_mean_of_runs ? RunsOf(profile, side).size()
                                              : 1);
  return sums;
}

void Add(const Sample& sample, Metric metric, RunSums& sums) {
  std::vector<Estimate>& runs = sums[sample.side];
  runs[RunOf(sample, runs.size())] += sample.values[metric];
}

void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const EntriesOfSample& entries_of,
                        std::span<RunSums> sums) {
  const auto shared =
      SharedSeeds(profile).Of(samples, metric, sums.size(), entries_of);
  for (const auto& [entry, side, run, variance] : shared) {
    std::vector<Estimate>& runs = sums[entry][side];
    runs[std::min<size_t>(run, runs.size() - 1)].variance += variance;
  }
}

Change MeansOf(const RunSums& sums) {
  Change means;
  for (const Side side : kSides)
    for (const Estimate& run : sums[side]) means[side] += run;
  return means;
}

Growth GrowthOf(const RunSums& sums, const ErrorBars& bars, Extent extent,
                const RunVariation& variation) {
  Growth growth = bars.GrowthOf(MeansOf(sums), extent, variation);
  ModerateByOwnRuns(sums, variation, growth);
  return growth;
}

Growth GrowthOfStacks(const Profile& profile, const SamplesByStack& samples,
                      const std::vector<bool>& is_counted, Metric metric,
                      const RunVariation& variation) {
  RunSums sums = EmptySums(profile);
  for (uint32_t stack = 0; stack < is_counted.size(); ++stack)
    if (is_counted[stack])
      for (const uint32_t sample : samples.Of({stack}))
        Add(profile.samples[sample], metric, sums);
  const auto entry_of = [&](const Sample& sample, std::vector<uint32_t>& of) {
    if (is_counted[sample.stack.index()]) of.push_back(0);
  };
  AddSharedVariances(profile, profile.samples, metric, entry_of, {&sums, 1});
  return GrowthOf(sums, ErrorBars(profile, metric), Extent::kEntry, variation);
}

std::optional<Interval> IntervalOf(const RunSums& sums, const ErrorBars& bars,
                                   Extent extent) {
  if (!HasIntervals(bars)) return std::nullopt;
  const Growth growth = GrowthOf(sums, bars, extent, bars.VariationOf(extent));
  return bars.is_comparison() ? ConfidenceInterval(growth, kConfidence)
                              : ConfidenceInterval(growth.now, kConfidence);
}

std::optional<Interval> ShareIntervalOf(const RunSums& part,
                                        const RunSums& rest,
                                        const ErrorBars& bars) {
  if (!HasIntervals(bars) || bars.is_comparison()) return std::nullopt;
  const auto measured = [&bars](const RunSums& sums) {
    return GrowthOf(sums, bars, Extent::kEntry,
                    bars.VariationOf(Extent::kEntry))
        .now;
  };
  const MeasuredSide of_part = measured(part), of_rest = measured(rest);
  if (of_part.mean.value <= 0 || of_rest.mean.value < 0) return std::nullopt;
  return ShareInterval(of_part, of_rest, kConfidence);
}

}  // namespace heapprof
