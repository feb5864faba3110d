// SPDX-License-Identifier: Apache-2.0
//
// The value of each label of a profile's frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/stack_call.h"

namespace heapprof {

struct LabelSum {
  Estimate flat;           // the sum of stacks whose leaf has the label
  Estimate cumulative;     // the sum of stacks with the label
  size_t last_sample = 0;  // number of the last sample with the label, from 1
};

// The label of a call in the stack of `sample`.
uint32_t LabelOf(const Profile& profile, const Sample& sample,
                 const StackCall& call, const FrameLabels& labels);

// Indexed by label id.
std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric);

// What was subtracted from these sums; nothing unless the profile is a
// difference.
std::vector<LabelSum> SumBasesByLabel(const Profile& profile,
                                      std::span<const Sample> samples,
                                      const FrameLabels& labels, Metric metric);

// A sum of a difference with the data for its error bar.
Change ChangeOf(const Estimate& sum, const Estimate& base);

}  // namespace heapprof
