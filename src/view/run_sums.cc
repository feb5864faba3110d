// SPDX-License-Identifier: Apache-2.0
#include "view/run_sums.h"

#include <algorithm>
#include <cstddef>
#include <ranges>

namespace heapprof {

ComparedSide ComparedSideOf(const Profile& profile, Side side) {
  const std::vector<InputRun> runs = RunsOf(profile, side);
  const auto periods = std::views::transform(runs, &InputRun::sampling_period);
  return {.runs = runs.size(),
          .period = std::ranges::max(periods),
          .is_exact = std::ranges::all_of(
              periods, [](uint64_t period) { return period == 1; })};
}

RunSums EmptySums(const Comparison& comparison) {
  return {std::vector<Estimate>(comparison.sides.now.runs),
          std::vector<Estimate>(comparison.sides.base.runs)};
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
  for (const auto& [entry, side, run, variance] : shared)
    sums[entry][side][run].variance += variance;
}

Change MeansOf(const RunSums& sums) {
  Change means;
  for (const Side side : kSides)
    for (const Estimate& run : sums[side]) means[side] += run;
  return means;
}

Growth GrowthOf(const RunSums& sums, const ErrorBars& bars, Extent extent,
                const Comparison& comparison) {
  const Change means = MeansOf(sums);
  if (!comparison.dispersion) return bars.GrowthOf(means, extent);
  Growth growth = bars.GrowthOf(means, extent, *comparison.dispersion);
  WidenByOwnRuns(sums, *comparison.dispersion, growth);
  return growth;
}

}  // namespace heapprof
