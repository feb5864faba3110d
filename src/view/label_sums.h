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
  Estimate flat;        // the sum of stacks whose leaf has the label
  Estimate cumulative;  // the sum of stacks with the label
  // The index + 1 of the sample that was added last; 0 = none yet. With it, a
  // sample counts only once, even if several of its frames have the label.
  size_t last_sample = 0;
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

// Returns the change for a `sum` of differences, with the data for its error
// bar. `base` is the sum of the values that were subtracted.
Change ChangeOf(const Estimate& sum, const Estimate& base);

}  // namespace heapprof
