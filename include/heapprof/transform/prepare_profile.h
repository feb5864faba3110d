// SPDX-License-Identifier: Apache-2.0
//
// Turns the stacks of the inputs, whose frames have names by then, into the
// stacks that a report shows: the transforms in the order in which each can
// rely on those before it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/demangle/names.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/groups.h"
#include "heapprof/transform/own_code.h"

namespace heapprof {

struct PrepareOptions {
  Metric metric = Metric::kInuseSpace;  // of FilterEffect
  bool keep_allocator_frames = false;
  // Compares the sides even if the base has no samples.
  bool has_base = false;
  // Without a base, several inputs are runs: their mean counts, not their sum.
  bool are_runs = false;
  bool drop_negative = false;  // as in CompareOptions
  std::string thread = {};     // as for SelectThread(); empty: all threads
  std::optional<NameStyle> names = {};  // unset: names stay as they are
  bool finds_own_code = false;          // sets PreparedStacks::own_code
  // The groups that become the roots of stacks; null: none. They are found
  // before filters remove frames.
  const std::vector<Group>* groups = nullptr;
  unsigned jobs = 1;  // threads
};

// What the user should know about the stacks.
struct PreparedStacks {
  bool has_new_side = false;  // the new side has samples
  // Of a comparison: the values of each side, and those of its stacks that
  // match nothing because they have no names.
  Sides<Values> totals = {};
  Sides<Values> nameless = {};
  bool has_threads = false;   // any sample is of a known thread
  bool lacks_thread = false;  // PrepareOptions::thread selects no thread
  // Of the stacks before the filters: see HasValue(), HasChange() and, if there
  // is no change, MetricWithValues().
  bool has_value = false;
  bool has_change = false;
  std::optional<Metric> metric_with_values = {};
  std::vector<std::string> unused_groups = {};  // as AddGroupRoots() returns
  // What each filter did, the selection of a thread among them.
  Result<std::vector<FilterEffect>> effects = {};
  // Of the stacks that the filters leave. The program's own allocators are
  // found before, because filters leave too few stacks for that.
  std::optional<OwnCode> own_code = {};
};

PreparedStacks PrepareProfile(Profile& profile, const StackFilters& filters,
                              const PrepareOptions& options);

}  // namespace heapprof
