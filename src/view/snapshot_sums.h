// SPDX-License-Identifier: Apache-2.0
//
// Adds up the values of each entry in each dump of a series.
#pragma once

#include <vector>

#include "heapprof/profile/snapshots.h"
#include "heapprof/view/error_bars.h"
#include "view/compared_entries.h"

namespace heapprof {

struct SnapshotSums {
  std::vector<Estimate> total = {};                 // by dump
  std::vector<SampleRepetition> repetitions = {};   // by dump
  std::vector<std::vector<Estimate>> entries = {};  // by entry, then by dump
};

// `found` are the entries of the samples of `snapshots`. If all allocations
// were sampled, the sums have no variance.
SnapshotSums SumSnapshots(const Snapshots& snapshots, CompareBy by,
                          const ComparedEntries& found);

}  // namespace heapprof
