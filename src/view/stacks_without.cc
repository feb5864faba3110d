// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/stacks_without.h"

#include <algorithm>
#include <ranges>

#include "heapprof/base/hash.h"
#include "view/run_sums.h"

namespace heapprof {
namespace {

constexpr size_t kNoEntry = SIZE_MAX;

// Returns what is left of the entries of a stack.
auto Without(std::span<const uint32_t> stack, size_t entry,
             const std::vector<bool>& left_out) {
  return stack | std::views::filter([entry, &left_out](uint32_t each) {
           return each != entry && !left_out[each];
         });
}

}  // namespace

StacksWithout::StacksWithout(const Profile& profile,
                             const SamplesByStack& samples,
                             const Comparison& comparison,
                             const std::vector<bool>& left_out)
    : profile_(profile),
      samples_(samples),
      comparison_(comparison),
      left_out_(left_out),
      first_(profile.stacks.size()) {
  for (uint32_t row = 1; row < first_.size(); ++row) {
    if (samples.Of({row}).empty()) continue;
    first_[row] = FindEqual(row, kNoEntry);
    if (first_[row] != 0) continue;
    firsts_.Add(HashOf(row, kNoEntry), row);
    first_[row] = row;
  }
}

uint64_t StacksWithout::HashOf(size_t row, size_t entry) const {
  uint64_t hash = 0;
  for (const uint32_t each :
       Without(comparison_.samples.OfRow(row), entry, left_out_))
    hash = AddToHash(hash, each);
  return hash;
}

uint32_t StacksWithout::FindEqual(size_t row, size_t entry) const {
  const SampleEntries& stacks = comparison_.samples;
  return firsts_.Find(HashOf(row, entry), [&](uint32_t first) {
    return std::ranges::equal(
        Without(stacks.OfRow(row), entry, left_out_),
        Without(stacks.OfRow(first), kNoEntry, left_out_));
  });
}

Growth StacksWithout::GrowthOf(const EntryStacks& entry) const {
  std::vector<bool> is_same(first_.size());
  for (size_t row = 0; row < entry.has.size(); ++row)
    if (entry.has[row]) is_same[FindEqual(row, entry.index)] = true;
  is_same[0] = false;  // there was no equal stack
  std::vector<bool> is_counted(first_.size());
  for (size_t row = 1; row < first_.size(); ++row)
    is_counted[row] = entry.has[row] || is_same[first_[row]];
  return GrowthOfStacks(profile_, samples_, is_counted, comparison_.metric,
                        comparison_.variation);
}

}  // namespace heapprof
