// SPDX-License-Identifier: Apache-2.0
//
// The first screen: how much memory is held, by which functions of the user's
// own code, and which functions allocated it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct OverviewRow {
  std::string name;
  double value = 0;
  double percent = 0;             // percentage after filters
  double cumulative_percent = 0;  // including callees
};

// The functions with a value, largest first.
struct OverviewTable {
  std::vector<OverviewRow> rows = {};
  double unassigned = 0;  // the sum of stacks without such a function
  double unassigned_percent = 0;
};

struct Overview {
  std::string program = {};  // path; empty if unknown
  int64_t time_seconds =
      0;  // when the dump was written, since 1970; 0 if unknown
  uint64_t sampling_period = 0;  // bytes; 0 = unknown
  Metric metric = Metric::kInuseSpace;
  double total = 0;
  std::optional<Interval> interval =
      {};                 // of the total; none if unknown or exact
  bool is_exact = false;  // every allocation was sampled
  double shown = 0;       // the part of the total that filters left
  std::optional<double> objects = {};  // for a metric in bytes, if known
  // Each stack is charged to the frame of the user's own code nearest the leaf,
  // so that own functions hold what libraries allocated for them.
  OverviewTable own = {};
  // Used instead of `own` if no own code is recognised: each function with all
  // its callees.
  OverviewTable cumulative = {};
  // Each stack is charged to its leaf.
  OverviewTable allocating = {};
};

// A call in a stack.
struct StackCall {
  size_t frame = 0;   // leaf first
  uint32_t line = 0;  // index of Profile::lines
};

struct OverviewOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  // For each sample: the call of own code to which it is charged. Empty if no
  // sample has one.
  std::vector<std::optional<StackCall>> own_calls = {};
};

Overview MakeOverview(const Profile& profile, const OverviewOptions& options);

}  // namespace heapprof
