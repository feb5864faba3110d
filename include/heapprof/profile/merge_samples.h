// SPDX-License-Identifier: Apache-2.0
//
// Keeps a table of samples small while a dump is read. A dump that repeats one
// record millions of times takes a few kilobytes when compressed, but every
// repetition would take a row.
#pragma once

#include <cstddef>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Adds up the samples that differ only in their values, and sorts the table by
// stack.
void MergeEqualSamples(std::vector<Sample>& samples);

// True if MergeEqualSamples() would not change the table.
bool AreMerged(const std::vector<Sample>& samples);

// Merges equal samples of a growing table whenever it has become too large. The
// table then has at most twice as many rows as it has distinct samples, or
// `kAlways` rows. Smaller tables keep all rows, because a sum of estimates no
// longer tells the counts that the dump states.
class SampleLimit {
 public:
  static constexpr size_t kAlways = size_t{1} << 18;

  // Call this after each new row.
  void Enforce(std::vector<Sample>& samples) {
    if (samples.size() >= limit_) Merge(samples);
  }

  // True if a call of Enforce() has changed the table.
  bool has_changed() const { return has_changed_; }

 private:
  void Merge(std::vector<Sample>& samples);

  size_t limit_ = kAlways;
  bool has_changed_ = false;
};

}  // namespace heapprof
