// SPDX-License-Identifier: Apache-2.0
//
// Every distinct stack with what it holds, frame by frame.
#pragma once

#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct Trace {
  std::vector<std::string> frames;  // leaf first
  double value = 0;
};

// Largest absolute value first, ties in byte order of the frames.
std::vector<Trace> MakeTraces(const Profile& profile, Metric metric,
                              const LabelOptions& labels);

}  // namespace heapprof
