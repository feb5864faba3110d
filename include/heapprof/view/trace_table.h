// SPDX-License-Identifier: Apache-2.0
//
// Every distinct stack with its value, frame by frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct Trace {
  // Where its frames are in TraceTable::frames.
  size_t first = 0;
  uint32_t count = 0;
  double value = 0;
  // `value` as an integer. Those of all traces add up to the total as reports
  // show it; see RoundSides().
  int64_t whole = 0;
};

struct TraceTable {
  std::vector<std::string> labels;  // in byte order
  // By label: whether a frame with it is own code, see LabelOptions::own_lines.
  std::vector<bool> is_own = {};
  // Indices of `labels`: the frames of one trace after the other.
  std::vector<uint32_t> frames;
  // Largest absolute value first; equal ones are in byte order of the frames.
  std::vector<Trace> traces;

  // Returns the frames of a trace, leaf first, as indices of labels.
  std::span<const uint32_t> FramesOf(const Trace& trace) const {
    return std::span(frames).subspan(trace.first, trace.count);
  }
};

TraceTable MakeTraces(const Profile& profile, Metric metric,
                      const LabelOptions& labels);

}  // namespace heapprof
