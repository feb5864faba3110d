// SPDX-License-Identifier: Apache-2.0
//
// How much threads that sample with the same random seed add to the errors of
// sums of samples; see SharedSeedVariance().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// What must be added to the variance of one entry's sum over a run. An entry is
// whatever a report shows a sum of, such as a function; entries are numbered.
struct SharedVariance {
  uint32_t entry = 0;
  Side side = Side::kNew;
  uint16_t run = 0;  // index of RunsOf()
  double variance = 0;
};

// Adds the numbers of the entries to which a thread sample belongs. A number
// may be added more than once, but counts only once.
using EntriesOfSample =
    std::function<void(const Sample& sample, std::vector<uint32_t>& entries)>;

// For a single entry with the number 0.
inline void AllInOneEntry(const Sample& /*sample*/,
                          std::vector<uint32_t>& entries) {
  entries.push_back(0);
}

class SharedSeeds {
 public:
  // `profile` must outlive this object.
  explicit SharedSeeds(const Profile& profile);

  // False if no threads of this side share a seed, so that nothing is added.
  bool IsPossible(Side side) const { return is_possible_[side]; }
  // False if this is so on both sides.
  bool IsPossible() const {
    return std::ranges::any_of(kSides,
                               [this](Side side) { return IsPossible(side); });
  }
  // By run: how many threads may have had one seed.
  const std::vector<size_t>& Sharing(Side side) const { return sharing_[side]; }

  // Returns what is to be added to the sums of `samples` by entry; `count` is
  // the number of entries. Entries to which nothing is added are left out. If
  // `samples` are of all threads, their thread samples have the same stacks
  // and tell how much each thread has of an entry.
  std::vector<SharedVariance> Of(std::span<const Sample> samples, Metric metric,
                                 size_t count,
                                 const EntriesOfSample& entries_of) const;

 private:
  const Profile& profile_;
  // By run: the threads that may have had one stack.
  Sides<std::vector<size_t>> sharing_;
  Sides<bool> is_possible_ = {};
};

}  // namespace heapprof
