// SPDX-License-Identifier: Apache-2.0
//
// Every distinct stack with its value, frame by frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct Trace {
  std::vector<uint32_t> frames;  // indices of labels, leaf first
  double value = 0;
};

struct TraceTable {
  std::vector<std::string> labels;  // in byte order
  // Largest absolute value first, ties in byte order of the frames.
  std::vector<Trace> traces;
};

TraceTable MakeTraces(const Profile& profile, Metric metric,
                      const LabelOptions& labels);

}  // namespace heapprof
