// SPDX-License-Identifier: Apache-2.0
//
// What each label of a profile's frames holds.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct LabelSum {
  Estimate flat;           // of the stacks whose leaf has the label
  Estimate cumulative;     // of the stacks with the label, however often
  size_t last_sample = 0;  // counted from 1: the last stack it was seen in
};

// By label id.
std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric);

}  // namespace heapprof
