// SPDX-License-Identifier: Apache-2.0
//
// The value of each label of a profile's frames.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct LabelSum {
  Estimate flat;           // the sum of stacks whose leaf has the label
  Estimate cumulative;     // the sum of stacks with the label
  size_t last_sample = 0;  // the last sample that had it, from 1
};

// Indexed by label id.
std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric);

}  // namespace heapprof
