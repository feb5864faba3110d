// SPDX-License-Identifier: Apache-2.0
//
// The table of a report for scripts, with everything that is known about its
// numbers. One member, or one element of a long array, per line:
//
//   {
//   "schema": "heapprof.report",
//   "schema_version": 2,
//   ...
//   "rows": [
//   {"name": "ns::f", ..., "flat": {"value": 4096, ...}, ...},
//
// The version increases when a key changes its meaning or is removed, not when
// one is added. The schema is in proto/heapprof.schema.json.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "heapprof/base/byte_sink.h"
#include "heapprof/profile/filter_effect.h"
#include "heapprof/profile/profile.h"
#include "heapprof/report/input_facts.h"
#include "heapprof/view/call_tree.h"
#include "heapprof/view/callers_callees.h"
#include "heapprof/view/change.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/module_table.h"
#include "heapprof/view/story.h"
#include "heapprof/view/thread_table.h"
#include "heapprof/view/trace_table.h"

namespace heapprof {

inline constexpr int kReportSchemaVersion = 2;

struct DirectedCallTree {
  CallDirection direction = CallDirection::kCallers;
  CallTree tree;
};

// The table of --tree and --peek, of --callers and --callees, or of --traces;
// empty if the user chose none of them.
using RequestedTable = std::variant<std::monostate, CallersCalleesTable,
                                    DirectedCallTree, TraceTable>;

// The data of the report. In the rows of all tables, FlatRow::code (where the
// code of a row is) and the numbers of samples must be set and, in a
// comparison, what is proven.
struct ReportData {
  std::string version;  // of heapprof
  std::vector<InputFacts> inputs = {};
  Metric metric = Metric::kInuseSpace;
  Granularity granularity = Granularity::kFunctions;
  std::span<const FilterEffect> filters = {};
  // The total of each metric that the inputs have, including what filters
  // removed.
  std::vector<std::pair<Metric, Change>> totals = {};
  Change shown = {};  // what filters left, in `metric`
  std::vector<StoryChain> story = {};
  FlatTable table = {};
  size_t top = 0;                 // rows of each table to write; 0 = all
  RequestedTable requested = {};  // written in addition to `table`
  std::vector<ThreadRow> threads = {};
  // One table for each element of `threads`; empty if the user did not ask for
  // tables of threads.
  std::vector<FlatTable> thread_tables = {};
  const ModuleTable& modules;
};

// `profile` is the profile from which the tables were made.
void WriteReportJson(const Profile& profile, const ReportData& report,
                     ByteSink& out);

}  // namespace heapprof
