// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/split_runs.h"

#include <cstdint>
#include <utility>

namespace heapprof {
namespace {

constexpr uint16_t kDropped = UINT16_MAX;

void Keep(size_t run, std::vector<Sample>& samples) {
  std::erase_if(samples,
                [run](const Sample& sample) { return sample.run != run; });
  for (Sample& sample : samples) sample.run = 0;
}

// Returns a copy of the profile that has only one of its runs.
Profile WithOneRun(Profile profile, size_t run) {
  profile.sampling_period = profile.runs.now[run].sampling_period;
  profile.thread_stacks.now = profile.runs.now[run].thread_stacks;
  Keep(run, profile.samples);
  Keep(run, profile.thread_samples);
  profile.runs = {};
  return profile;
}

}  // namespace

std::vector<Profile> SplitRuns(Profile profile) {
  std::vector<Profile> runs;
  const size_t count = profile.runs.now.size();
  for (size_t run = 0; run + 1 < count; ++run)
    runs.push_back(WithOneRun(profile, run));
  if (count > 0)
    runs.push_back(WithOneRun(std::move(profile), count - 1));
  else
    runs.push_back(std::move(profile));
  return runs;
}

void KeepRuns(std::span<const size_t> runs, Profile& profile) {
  const std::vector<InputRun> all =
      std::exchange(profile.runs.now, std::vector<InputRun>());
  std::vector<uint16_t> numbers(all.size(), kDropped);
  profile.thread_stacks.now = 0;
  for (const size_t run : runs) {
    numbers[run] = static_cast<uint16_t>(profile.runs.now.size());
    profile.runs.now.push_back(all[run]);
    profile.thread_stacks.now += all[run].thread_stacks;
  }
  for (auto* samples : {&profile.samples, &profile.thread_samples,
                        &profile.filtered_thread_samples}) {
    for (Sample& sample : *samples) sample.run = numbers[sample.run];
    std::erase_if(*samples,
                  [](const Sample& sample) { return sample.run == kDropped; });
  }
  profile.filtered_out.now = {};
  for (const Sample& sample : profile.filtered_thread_samples)
    profile.filtered_out.now += sample.values;
}

}  // namespace heapprof
