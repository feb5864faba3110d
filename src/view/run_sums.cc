// SPDX-License-Identifier: Apache-2.0
#include "view/run_sums.h"

#include <algorithm>
#include <ranges>

namespace heapprof {

std::vector<InputRun> RunsOf(const Profile& profile, Side side) {
  const size_t i = IndexOf(side);
  if (!profile.runs[i].empty()) return profile.runs[i];
  return {{.sampling_period = profile.sampling_period,
           .thread_stacks = profile.thread_stacks[i]}};
}

ComparedSide ComparedSideOf(const Profile& profile, Side side) {
  const std::vector<InputRun> runs = RunsOf(profile, side);
  const auto periods = std::views::transform(runs, &InputRun::sampling_period);
  return {.runs = runs.size(),
          .period = std::ranges::max(periods),
          .is_exact = std::ranges::all_of(
              periods, [](uint64_t period) { return period == 1; })};
}

bool HasErrors(const ComparedSide& side, Metric metric) {
  return !IsObjectCount(metric) && !side.is_exact && side.period != 0;
}

Term TermOf(const Sample& sample, const Comparison& comparison) {
  const size_t i = IndexOf(sample.side);
  const ComparedSide& side = comparison.sides[i];
  Term term = {.side = i,
               .run = std::min<size_t>(sample.run, side.runs - 1),
               .estimate = sample.values[comparison.metric]};
  if (!HasErrors(side, comparison.metric)) term.estimate.variance = 0;
  return term;
}

RunSums EmptySums(const Comparison& comparison) {
  return {std::vector<Estimate>(comparison.sides[0].runs),
          std::vector<Estimate>(comparison.sides[1].runs)};
}

Growth GrowthOf(const RunSums& sums, const Comparison& comparison,
                double dispersion) {
  const auto mean = [&](Side side) {
    const ComparedSide& of = comparison.sides[IndexOf(side)];
    const double period =
        HasErrors(of, comparison.metric) ? static_cast<double>(of.period) : 0;
    return MeanOfRuns(sums[IndexOf(side)], period, dispersion);
  };
  return {.now = mean(Side::kNew), .base = mean(Side::kBase)};
}

}  // namespace heapprof
