// SPDX-License-Identifier: Apache-2.0
//
// What each stack of one dump holds in each metric, with its error: the rows
// for engines that query many dumps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/stack_table.h"

namespace heapprof {

struct StackMeasure {
  Metric metric = Metric::kInuseSpace;
  uint32_t stack = 0;                     // index of StackMeasures::stacks.rows
  ThreadId thread = {};                   // none: all threads together
  int64_t value = 0;                      // bytes or objects; not 0
  std::optional<Interval> interval = {};  // none: see ErrorBars
  std::optional<int64_t> samples = {};    // sampled objects; none: unknown
};

struct StackMeasures {
  StackTable stacks = {};  // without values
  // By label of `stacks`: FILE:LINE, or FILE, as LabelCode has them; empty if
  // unknown.
  std::vector<std::string> places = {};
  // By metric, then by stack, then by thread. Those of a metric add up to the
  // integer part of its exact sum.
  std::vector<StackMeasure> rows = {};
};

struct MeasureOptions {
  Granularity granularity = Granularity::kFunctions;
  std::vector<Metric> metrics = {};  // those that the profile lacks have no row
};

// `profile` must not be a comparison. If its samples are of single threads (see
// Sample::thread), so are the rows.
StackMeasures MeasureStacks(const Profile& profile,
                            const MeasureOptions& options);

}  // namespace heapprof
