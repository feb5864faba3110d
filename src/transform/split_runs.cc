// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/split_runs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace heapprof {
namespace {

constexpr auto kNew = static_cast<size_t>(Side::kNew);

void Keep(size_t run, std::vector<Sample>& samples) {
  std::erase_if(samples,
                [run](const Sample& sample) { return sample.run != run; });
  for (Sample& sample : samples) sample.run = 0;
}

// Returns a copy of the profile that has only one of its runs.
Profile WithOneRun(Profile profile, size_t run) {
  profile.sampling_period = profile.runs[kNew][run].sampling_period;
  profile.thread_stacks[kNew] = profile.runs[kNew][run].thread_stacks;
  Keep(run, profile.samples);
  Keep(run, profile.thread_samples);
  profile.runs = {};
  return profile;
}

// Adds up the samples that differ only in their run, and divides their values
// by the number of runs.
void Average(double runs, std::vector<Sample>& samples) {
  std::map<std::tuple<StackId, ThreadId, Lifetime>, size_t> first;
  std::vector<Sample> means;
  for (const Sample& sample : samples) {
    const auto [it, added] = first.try_emplace(
        {sample.stack, sample.thread, sample.lifetime}, means.size());
    if (added) {
      means.push_back(sample);
      means.back().run = 0;
    } else {
      means[it->second].values += sample.values;
    }
  }
  for (Sample& mean : means)
    for (Estimate& estimate : mean.values.by_metric)
      estimate = {.value = estimate.value / runs,
                  .variance = estimate.variance / (runs * runs)};
  samples = std::move(means);
}

}  // namespace

Profile AverageRuns(Profile profile) {
  const std::vector<InputRun> runs = std::exchange(profile.runs[kNew], {});
  if (runs.empty()) return profile;
  profile.sampling_period =
      std::ranges::max(runs, {}, &InputRun::sampling_period).sampling_period;
  profile.thread_stacks[kNew] =
      std::ranges::max(runs, {}, &InputRun::thread_stacks).thread_stacks;
  Average(static_cast<double>(runs.size()), profile.samples);
  Average(static_cast<double>(runs.size()), profile.thread_samples);
  return profile;
}

std::vector<Profile> SplitRuns(Profile profile) {
  std::vector<Profile> runs;
  const size_t count = profile.runs[kNew].size();
  for (size_t run = 0; run + 1 < count; ++run)
    runs.push_back(WithOneRun(profile, run));
  if (count > 0)
    runs.push_back(WithOneRun(std::move(profile), count - 1));
  else
    runs.push_back(std::move(profile));
  return runs;
}

}  // namespace heapprof
