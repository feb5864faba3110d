// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/average_runs.h"

#include <algorithm>
#include <vector>

namespace heapprof {
namespace {

void Divide(double count, Values& values) {
  for (Estimate& estimate : values.by_metric) {
    estimate.value /= count;
    estimate.variance /= count * count;
  }
}

void Average(Side side, Profile& profile) {
  std::vector<InputRun>& runs = profile.runs[static_cast<size_t>(side)];
  if (runs.size() < 2) return;
  const size_t count = runs.size();
  for (std::vector<Sample>* samples :
       {&profile.samples, &profile.thread_samples,
        &profile.filtered_thread_samples})
    for (Sample& sample : *samples)
      if (sample.side == side) {
        Divide(static_cast<double>(count), sample.values);
        sample.run = 0;
      }
  // Stacks of threads of different runs do not share a seed. With fewer stacks
  // than there are, the variance is too large rather than too small.
  uint32_t stacks = 0;
  for (const InputRun& run : runs) stacks += run.thread_stacks;
  if (stacks != 0) stacks = std::max(1u, stacks / static_cast<uint32_t>(count));
  profile.thread_stacks[static_cast<size_t>(side)] = stacks;
  const auto longest =
      std::ranges::max_element(runs, {}, &InputRun::sampling_period);
  runs = {InputRun{.sampling_period = longest->sampling_period,
                   .thread_stacks = stacks}};
}

}  // namespace

void AverageRuns(Profile& profile) {
  for (const Side side : {Side::kNew, Side::kBase}) Average(side, profile);
}

}  // namespace heapprof
