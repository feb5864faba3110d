// SPDX-License-Identifier: Apache-2.0
//
// Functions among their callers and callees, as text reports show them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "heapprof/view/call_graph.h"

namespace heapprof {

struct CallerOrCallee {
  std::string name;
  double value = 0;    // of the stacks with the call
  double percent = 0;  // of what the function in the middle holds
};

struct CallersCalleesRow {
  std::string name;
  double flat = 0;
  double cumulative = 0;
  double flat_percent = 0;
  double running_percent = 0;  // sum of flat_percent down to this row
  double cumulative_percent = 0;
  std::vector<CallerOrCallee> callers;  // largest absolute value first
  std::vector<CallerOrCallee> callees;
};

struct CallersCalleesTable {
  std::vector<CallersCalleesRow> rows;
  // Flat values of the rows; as in pprof, of all where some are chosen by name.
  double shown = 0;
  double total = 0;     // of the profile
  size_t all_rows = 0;  // how many there are
};

struct CallersCalleesOptions {
  bool sort_by_cumulative = false;
  size_t top = 0;  // rows; 0 = all
  // Which functions get a row; unset: all.
  std::function<bool(const std::string& name)> matches = {};
};

// One row per node, largest absolute value first, ties in byte order of the
// names. A function is no neighbour of itself.
CallersCalleesTable MakeCallersCalleesTable(
    const CallGraph& graph, const CallersCalleesOptions& options);

}  // namespace heapprof
