// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/split_runs.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

namespace heapprof {
namespace {

constexpr uint16_t kDropped = UINT16_MAX;

// Returns those of `samples` that are of `run`, as samples of the first run.
std::vector<Sample> SamplesOf(size_t run, const std::vector<Sample>& samples) {
  std::vector<Sample> kept;
  std::ranges::copy_if(
      samples, std::back_inserter(kept),
      [run](const Sample& sample) { return sample.run == run; });
  for (Sample& sample : kept) sample.run = 0;
  return kept;
}

}  // namespace

void ForEachRun(Profile profile,
                const std::function<void(const Profile& run)>& f) {
  if (profile.runs.now.empty()) return f(profile);
  const auto runs = std::exchange(profile.runs, {}).now;
  profile.compares_builds = false;
  const auto samples = std::move(profile.samples);
  const auto by_thread = std::move(profile.thread_samples);
  const auto filtered = std::move(profile.filtered_thread_samples);
  for (size_t run = 0; run < runs.size(); ++run) {
    profile.runs.now = {runs[run]};
    profile.sampling_period = runs[run].sampling_period;
    profile.thread_stacks.now = runs[run].thread_stacks;
    profile.samples = SamplesOf(run, samples);
    profile.thread_samples = SamplesOf(run, by_thread);
    profile.filtered_thread_samples = SamplesOf(run, filtered);
    f(profile);
  }
}

void DropUnusedNames(Profile& profile) {
  std::vector<bool> is_used(profile.locations.size());
  for (const auto* samples : {&profile.samples, &profile.thread_samples})
    for (const Sample& sample : *samples)
      for (const LocationId frame : profile.StackFrames(sample.stack))
        is_used[frame.index()] = true;
  for (size_t i = 0; i < is_used.size(); ++i)
    if (!is_used[i]) profile.locations[i].lines = {};
}

std::vector<Profile> SplitRuns(Profile profile) {
  std::vector<Profile> runs;
  if (profile.runs.now.empty()) {
    runs.push_back(std::move(profile));
    return runs;
  }
  ForEachRun(std::move(profile), [&runs](const Profile& run) {
    runs.push_back(run);
    runs.back().runs = {};
  });
  return runs;
}

void KeepRuns(std::span<const size_t> runs, Profile& profile) {
  const std::vector<InputRun> all =
      std::exchange(profile.runs.now, std::vector<InputRun>());
  std::vector<uint16_t> numbers(all.size(), kDropped);
  profile.thread_stacks.now = 0;
  profile.filtered_out.now = {};
  for (const size_t run : runs) {
    numbers[run] = static_cast<uint16_t>(profile.runs.now.size());
    profile.runs.now.push_back(all[run]);
    profile.thread_stacks.now += all[run].thread_stacks;
    profile.filtered_out.now += all[run].filtered_out;
  }
  for (auto* samples : {&profile.samples, &profile.thread_samples,
                        &profile.filtered_thread_samples}) {
    for (Sample& sample : *samples) sample.run = numbers[sample.run];
    std::erase_if(*samples,
                  [](const Sample& sample) { return sample.run == kDropped; });
  }
}

}  // namespace heapprof
