// SPDX-License-Identifier: Apache-2.0
//
// Finds the entries of a comparison, and the entries in which each sample
// counts.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/view/comparison_entries.h"

namespace heapprof {

struct ComparedEntries {
  // Only `key`, `name`, `file`, `line` and `is_own` are set.
  std::vector<ComparisonEntry> entries = {};
  SampleEntries samples = {};
};

ComparedEntries FindEntries(const Profile& profile,
                            const ComparisonOptions& options);

// Returns the samples that are compared: those by thread if threads are
// compared, otherwise those by stack.
const std::vector<Sample>& ComparedSamples(const Profile& profile,
                                           CompareBy by);

// Returns a function that finds the entries of a sample, for SharedSeeds. It
// refers to `entries`.
EntriesOfSample EntriesIn(const SampleEntries& entries);

}  // namespace heapprof
