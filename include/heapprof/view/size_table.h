// SPDX-License-Identifier: Apache-2.0
//
// What objects of each size hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/sampled_objects.h"

namespace heapprof {

struct SizeRow {
  uint64_t size = 0;  // the largest in the class, in bytes; 0: unknown
  Change sum = {};
  double percent = 0;  // of all objects; in a comparison, of the larger side
  double objects = 0;  // in a comparison, the change of their number
  std::optional<SampleNumbers> samples = {};  // none: see CountsSamples()
  // The function that is charged with most of it; empty if there is none.
  std::string top_function = {};
  // How much of it each of SizeTable::functions is charged with, and last, what
  // is left for all others.
  std::vector<double> parts = {};
};

struct SizeTable {
  std::vector<SizeRow> rows;  // by size
  // How much of the sum is in stacks of which only the mean size of the objects
  // is known. It is counted under that size.
  double mean_percent = 0;
  // The functions that are charged with most over all rows, the largest first.
  std::vector<std::string> functions = {};
};

// Makes a row for each class of sizes with a value. `labels` must be labels of
// functions. `calls` has, for each stack of the profile, the call that is
// charged with it; where there is none, and if `calls` is empty, the leaf is
// charged. At most `most_functions` are told apart in SizeRow::parts.
SizeTable MakeSizeTable(const Profile& profile, Metric metric,
                        const FrameLabels& labels,
                        const CallsOfStacks& calls = {},
                        size_t most_functions = 0);

}  // namespace heapprof
