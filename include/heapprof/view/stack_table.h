// SPDX-License-Identifier: Apache-2.0
//
// The rows of a collapsed report: every distinct stack of full function names
// (or lines, files, ...), root first, with its value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct StackRow {
  std::string stack;  // "main;ns::f(int);ns::g()"
  double now = 0;     // its value on the new side of a comparison
  double before = 0;  // its value on the base side
};

struct StackTable {
  std::vector<StackRow> rows;  // unique, in byte order of the stacks
};

// Returns the rows of all stacks. The names of a stack are joined with ";".
// Within names, ";" becomes ":", and a line break becomes a blank, so that a
// report can write each row on one line.
StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity = Granularity::kFunctions);

}  // namespace heapprof
