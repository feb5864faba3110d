// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/stack_changes.h"

#include <algorithm>
#include <cstdint>

namespace heapprof {

std::vector<StackChange> ChangesByStack(const Profile& profile,
                                        std::span<const Sample> samples,
                                        Metric metric) {
  // By StackId: index in `changes` plus one; 0: none yet.
  std::vector<uint32_t> index(profile.stacks.size());
  std::vector<StackChange> changes;
  changes.reserve(std::min(samples.size(), profile.stacks.size()));
  for (const Sample& sample : samples) {
    const Estimate& estimate = sample.values[metric];
    if (estimate.value == 0) continue;
    uint32_t& number = index[sample.stack.index()];
    if (number == 0) {
      changes.push_back({.stack = sample.stack});
      number = static_cast<uint32_t>(changes.size());
    }
    changes[number - 1].sides[sample.side] += estimate;
  }
  return changes;
}

std::vector<Change> ChangesOfAllStacks(const Profile& profile,
                                       std::span<const Sample> samples,
                                       Metric metric) {
  std::vector<Change> changes(profile.stacks.size());
  for (const Sample& sample : samples)
    if (const Estimate& estimate = sample.values[metric]; estimate.value != 0)
      changes[sample.stack.index()][sample.side] += estimate;
  return changes;
}

bool HasValue(const Profile& profile, Metric metric, std::optional<Side> side) {
  return std::ranges::any_of(profile.samples, [=](const Sample& sample) {
    return sample.side == side.value_or(sample.side) &&
           sample.values[metric].value != 0;
  });
}

bool HasChange(const Profile& profile, Metric metric) {
  return profile.is_comparison
             ? AnyStackChanges(profile, profile.samples, metric)
             : HasValue(profile, metric);
}

bool AnyStackChanges(const Profile& profile, std::span<const Sample> samples,
                     Metric metric) {
  return std::ranges::any_of(
      ChangesByStack(profile, samples, metric),
      [](const StackChange& change) { return change.value() != 0; });
}

std::optional<Metric> MetricWithValues(const Profile& profile) {
  for (const Metric metric : {Metric::kInuseSpace, Metric::kAllocSpace,
                              Metric::kInuseObjects, Metric::kAllocObjects})
    if (HasChange(profile, metric)) return metric;
  return std::nullopt;
}

}  // namespace heapprof
