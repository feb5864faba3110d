// SPDX-License-Identifier: Apache-2.0
//
// Functions with their callers and callees, for text reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heapprof/view/call_graph.h"

namespace heapprof {

struct CallerOrCallee {
  uint32_t name = 0;   // index of CallersCalleesTable::names
  Change sum = {};     // of the stacks with the call
  double percent = 0;  // percentage of the row's cumulative value
};

struct CallersCalleesRow {
  uint32_t name = 0;  // index of CallersCalleesTable::names
  Change flat = {};
  Change cumulative = {};
  double flat_percent = 0;
  double running_percent = 0;  // flat_percent, added up to this row
  double cumulative_percent = 0;
  std::vector<CallerOrCallee> callers;  // largest absolute value first
  std::vector<CallerOrCallee> callees;
};

struct CallersCalleesTable {
  std::vector<std::string> names;  // each once, though most are in many rows
  std::vector<CallersCalleesRow> rows;
  // The sum of the flat values of all rows. If CallersCalleesOptions::matches
  // is set, the sum includes the functions without a row, too, as in pprof.
  Change shown = {};
  Change total = {};    // of the profile
  size_t all_rows = 0;  // number of rows before `top` limited it
};

struct CallersCalleesOptions {
  bool sort_by_cumulative = false;
  size_t top = 0;  // most rows; 0 = all
  // Selects the functions that get a row; unset: all.
  std::function<bool(const std::string& name)> matches = {};
};

// Makes one row for each node of the graph, sorted by absolute flat or
// cumulative value, largest first, and then by name. A function is not listed
// as its own caller or callee.
CallersCalleesTable MakeCallersCalleesTable(
    const CallGraph& graph, const CallersCalleesOptions& options);

Change FlatSum(const std::vector<CallersCalleesRow>& rows);

}  // namespace heapprof
