// SPDX-License-Identifier: Apache-2.0
//
// What each thread holds: memory that it allocated, whoever uses it now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct ThreadRow {
  uint64_t uid = 0;
  std::string name;
  double value = 0;
  std::optional<Interval> interval;  // of bytes that were sampled
  std::optional<uint64_t> samples;   // sampled objects; none: not known
  std::string top_function;          // that holds most itself; or empty
};

// Largest absolute value first, then by uid.
std::vector<ThreadRow> MakeThreadTable(const Profile& profile, Metric metric,
                                       const LabelOptions& labels);

struct ThreadSamples {
  ThreadId thread;
  std::vector<Sample> samples;
  Values filtered_out;  // what filters took from them
};

// The thread samples by thread, in order of uid and name; also threads of
// which filters left nothing.
std::vector<ThreadSamples> SamplesByThread(const Profile& profile);

}  // namespace heapprof
