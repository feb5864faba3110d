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

Change MeansOf(const RunSums& sums) {
  Change means;
  for (const Side side : kSides)
    for (const Estimate& run : sums[side]) means[side] += run;
  return means;
}

}  // namespace heapprof
