// SPDX-License-Identifier: Apache-2.0
#include "heapprof/compare/average_runs.h"

#include <algorithm>
#include <vector>

#include "compare/dispersion.h"
#include "compare/match_stacks.h"
#include "compare/sides.h"

namespace heapprof {

void AverageRuns(Profile& profile) {
  profile.is_mean_of_runs = true;
  const bool has_several = std::ranges::any_of(
      kSides, [&](Side side) { return profile.runs[side].size() > 1; });
  if (!has_several) return;
  for (std::vector<Sample>* samples :
       {&profile.samples, &profile.thread_samples})
    for (Sample& sample : *samples) {
      const size_t runs = profile.runs[sample.side].size();
      if (runs < 2) continue;
      const auto count = static_cast<double>(runs);
      for (Estimate& estimate : sample.values.by_metric) {
        estimate.value /= count;
        estimate.variance /= count * count;
      }
    }
}

void JoinRuns(Profile& profile) {
  MatchStacks(SidesOfLocations(profile), profile);
  AverageRuns(profile);
  MeasureDispersion(profile);
}

}  // namespace heapprof
