// SPDX-License-Identifier: Apache-2.0
//
// The memory that each thread allocated, whichever thread uses it now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/sampled_objects.h"

namespace heapprof {

struct ThreadRow {
  ThreadId thread = {};
  uint64_t uid = 0;
  std::string name;
  Change sum = {};
  std::optional<Interval> interval;      // of `sum`; none: see ErrorBars
  std::optional<SampleNumbers> samples;  // none: unknown, or all are sampled
  std::string top_function;              // is charged with most; may be empty
};

// Returns a row for each thread. Rows with the largest absolute value come
// first; rows with equal values are sorted by uid. ThreadRow::top_function is
// one of `labels`, which must be labels of functions; `calls` are those of
// MakeSizeTable().
std::vector<ThreadRow> MakeThreadTable(const Profile& profile, Metric metric,
                                       const FrameLabels& labels,
                                       const CallsOfStacks& calls = {});

struct ThreadSamples {
  ThreadId thread;
  std::vector<Sample> samples;
  Sides<Values> filtered_out;  // what filters removed
};

// Returns the thread samples grouped by ShownThread(), sorted by uid and name.
// Includes threads whose samples were all removed by filters.
std::vector<ThreadSamples> SamplesByThread(const Profile& profile);

}  // namespace heapprof
