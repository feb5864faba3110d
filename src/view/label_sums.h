// SPDX-License-Identifier: Apache-2.0
//
// Adds up the values of a profile's stacks by the labels of their frames.
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

// Returns the label of `call`, which is in the stack of `sample`.
uint32_t LabelOf(const Profile& profile, const Sample& sample,
                 const StackCall& call, const FrameLabels& labels);

// Returns the sums of `samples`, indexed by label id.
std::vector<LabelSum> SumByLabel(const Profile& profile,
                                 std::span<const Sample> samples,
                                 const FrameLabels& labels, Metric metric);

// Returns the sums of what was subtracted from `samples` in a difference,
// indexed by label id. Returns an empty vector if the profile is not a
// difference.
std::vector<LabelSum> SumBasesByLabel(const Profile& profile,
                                      std::span<const Sample> samples,
                                      const FrameLabels& labels, Metric metric);

// Returns the change that `sum` stands for, with the data for its error bar.
// `sum` is a sum of differences, and `base` is what was subtracted in it.
Change ChangeOf(const Estimate& sum, const Estimate& base);

}  // namespace heapprof
