// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stacks_without.h"

#include "heapprof/base/hash.h"
#include "heapprof/view/error_bars.h"
#include "view/compared_entries.h"
#include "view/run_sums.h"

namespace heapprof {

size_t StacksWithout::StackHash::operator()(const Stack& stack) const {
  uint64_t hash = stack.size();
  for (const uint32_t entry : stack) hash = AddToHash(hash, entry);
  return hash;
}

StacksWithout::StacksWithout(const Comparison& comparison,
                             const std::vector<bool>& left_out)
    : comparison_(comparison), left_out_(left_out) {
  for (size_t i = 0; i < comparison.samples.ranges.size(); ++i) {
    const auto id = static_cast<uint32_t>(ids_.size());
    id_of_sample_.push_back(
        ids_.try_emplace(Without(i, SIZE_MAX), id).first->second);
  }
}

StacksWithout::Stack StacksWithout::Without(size_t sample, size_t entry) const {
  Stack stack;
  for (const uint32_t each : comparison_.samples.Of(sample))
    if (each != entry && !left_out_[each]) stack.push_back(each);
  return stack;
}

Growth StacksWithout::GrowthOf(const Profile& profile,
                               const EntrySamples& entry) const {
  const std::vector<Sample>& samples = ComparedSamples(profile, comparison_.by);
  std::vector<bool> is_same(ids_.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!entry.has[i]) continue;
    const auto found = ids_.find(Without(i, entry.index));
    if (found != ids_.end()) is_same[found->second] = true;
  }
  RunSums sums = EmptySums(profile);
  std::vector<bool> is_counted(profile.stacks.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    if (!entry.has[i] && !is_same[id_of_sample_[i]]) continue;
    Add(samples[i], comparison_.metric, sums);
    is_counted[samples[i].stack.index()] = true;
  }
  const auto entry_of = [&](const Sample& sample, std::vector<uint32_t>& of) {
    if (is_counted[sample.stack.index()]) of.push_back(0);
  };
  AddSharedVariances(profile, samples, comparison_.metric, entry_of,
                     {&sums, 1});
  return heapprof::GrowthOf(sums, ErrorBars(profile, comparison_.metric),
                            Extent::kEntry, comparison_.dispersion);
}

}  // namespace heapprof
