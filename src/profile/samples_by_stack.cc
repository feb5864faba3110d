// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/samples_by_stack.h"

#include <algorithm>
#include <numeric>

namespace heapprof {

SamplesByStack::SamplesByStack(const Profile& profile,
                               std::span<const Sample> samples)
    : samples_(samples.size()), starts_(profile.stacks.size() + 1) {
  // A counting sort by stack, because there may be millions of samples.
  for (const Sample& sample : samples) ++starts_[sample.stack.index() + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<uint32_t> next = starts_;
  for (uint32_t i = 0; i < samples.size(); ++i)
    samples_[next[samples[i].stack.index()]++] = i;
  const auto thread_of = [&](uint32_t sample) {
    return ShownThread(profile, samples[sample].thread);
  };
  for (size_t stack = 0; stack + 1 < starts_.size(); ++stack) {
    const auto [start, end] = std::pair(starts_[stack], starts_[stack + 1]);
    const auto of_stack = std::span(samples_).subspan(start, end - start);
    if (!std::ranges::is_sorted(of_stack, {}, thread_of))
      std::ranges::stable_sort(of_stack, {}, thread_of);
    for (uint32_t i = start; i < end; ++i)
      if (i + 1 == end || thread_of(samples_[i + 1]) != thread_of(samples_[i]))
        ends_.push_back(i + 1);
  }
}

}  // namespace heapprof
