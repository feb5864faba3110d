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
  return {std::vector<Estimate>(comparison.sides[0].runs),
          std::vector<Estimate>(comparison.sides[1].runs)};
}

void Add(const Sample& sample, Metric metric, RunSums& sums) {
  std::vector<Estimate>& runs = sums[IndexOf(sample.side)];
  runs[RunOf(sample, runs.size())] += sample.values[metric];
}

SideSums MeansOf(const RunSums& sums) {
  SideSums means;
  for (size_t side = 0; side < sums.size(); ++side)
    for (const Estimate& run : sums[side]) means[side] += run;
  return means;
}

}  // namespace heapprof
