// SPDX-License-Identifier: Apache-2.0
//
// The function that a row of a table names: the one that is charged with most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// Values by label.
using ChargedSums = std::unordered_map<uint32_t, double>;

// Returns what each label is charged with of `samples`. `calls` has, for each
// stack of the profile, the call that is charged with it; where there is none,
// and if `calls` is empty, the leaf is charged.
ChargedSums SumsByCharged(const Profile& profile,
                          std::span<const Sample> samples, Metric metric,
                          const FrameLabels& labels,
                          const CallsOfStacks& calls);

// Returns the labels with the largest absolute values, the largest first; those
// with equal values in byte order of their names.
std::vector<uint32_t> LargestCharged(const ChargedSums& sums,
                                     const FrameLabels& labels, size_t most);

// Returns the name of the label that is charged with the largest absolute value
// of `samples`, and "" if there is none. See SumsByCharged().
std::string TopFunction(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const FrameLabels& labels,
                        const CallsOfStacks& calls);

}  // namespace heapprof
