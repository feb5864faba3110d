// SPDX-License-Identifier: Apache-2.0
//
// The rows of a collapsed report: every distinct stack of full function names
// (or lines, files, ...), root first, with what it holds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct StackRow {
  std::string stack;  // "main;ns::f(int);ns::g()"
  double now = 0;     // the new side
  double before = 0;  // the base side
};

struct StackTable {
  std::vector<StackRow> rows;  // in byte order of the stacks, each once
};

// Joins names with ";". A ";" or line break inside a name becomes ":" or a
// blank, so that every row is one line with one value.
StackTable MakeStackTable(const Profile& profile, Metric metric,
                          Granularity granularity = Granularity::kFunctions);

}  // namespace heapprof
