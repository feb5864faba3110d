// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/split_runs.h"

#include <utility>

namespace heapprof {
namespace {

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

}  // namespace heapprof
