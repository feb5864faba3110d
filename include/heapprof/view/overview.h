// SPDX-License-Identifier: Apache-2.0
//
// The first screen: how much is held, by which functions of one's own code, and
// which functions allocated it.
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
  double percent = 0;             // of what filters left
  double cumulative_percent = 0;  // with callees
};

// The functions with a value, the largest first.
struct OverviewTable {
  std::vector<OverviewRow> rows = {};
  double unassigned = 0;  // held by stacks without such a function
  double unassigned_percent = 0;
};

struct Overview {
  std::string program = {};      // path; empty: not known
  int64_t time_seconds = 0;      // when the dump was written, since 1970; or 0
  uint64_t sampling_period = 0;  // bytes; 0 = not known
  Metric metric = Metric::kInuseSpace;
  double total = 0;
  std::optional<Interval> interval =
      {};                 // of the total; none: not known, or exact
  bool is_exact = false;  // every allocation was sampled
  double shown = 0;       // of the total, what filters left
  std::optional<double> objects = {};  // of a metric in bytes, if known
  // Each stack is charged to its own frame nearest the leaf: a function of
  // one's own holds what libraries allocated for it.
  OverviewTable own = {};
  // Instead of `own` where no code is recognised as one's own: each function
  // with all that it calls.
  OverviewTable cumulative = {};
  // Each stack is charged to its leaf.
  OverviewTable allocating = {};
};

// A call in a stack.
struct StackCall {
  size_t frame = 0;   // leaf first
  uint32_t line = 0;  // in Profile::lines
};

struct OverviewOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  // By sample: the call that it is charged to, of one's own code. Empty: none
  // of them has one.
  std::vector<std::optional<StackCall>> own_calls = {};
};

Overview MakeOverview(const Profile& profile, const OverviewOptions& options);

}  // namespace heapprof
