// SPDX-License-Identifier: Apache-2.0
//
// Finds the entries of a comparison, and the entries in which each sample
// counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/view/comparison_entries.h"

namespace heapprof {

struct ComparedEntries {
  // Only `key`, `name`, `file` and `line` are set.
  std::vector<ComparisonEntry> entries = {};
  SampleEntries samples = {};
};

ComparedEntries FindEntries(const Profile& profile,
                            const ComparisonOptions& options);

// Returns the samples that are compared: those by thread if threads are
// compared, otherwise those by stack.
const std::vector<Sample>& ComparedSamples(const Profile& profile,
                                           CompareBy by);

// Finds the entries of the samples of threads, for SharedSeeds: a sample counts
// in the entries of its stack or, if threads are compared, in its own.
class ThreadSampleEntries {
 public:
  // `entries` are those of ComparedSamples(), and must outlive this object.
  ThreadSampleEntries(const Profile& profile, CompareBy by,
                      const SampleEntries& entries);

  // The result refers to this object and to `samples`. If threads are compared,
  // these have the order of Profile::thread_samples.
  EntriesOfSample Of(std::span<const Sample> samples) const;

 private:
  CompareBy by_;
  const SampleEntries& entries_;
  // By StackId; empty if threads are compared.
  std::vector<std::span<const uint32_t>> of_stack_;
};

}  // namespace heapprof
