// SPDX-License-Identifier: Apache-2.0
//
// The function that a row of a table names: the one that is charged with most.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/stack_call.h"

namespace heapprof {

// Returns the label that is charged with the largest absolute value of
// `samples`; the first in byte order if there are several, and "" if there is
// none. `calls` has, for each stack of the profile, the call that is charged
// with it; where there is none, and if `calls` is empty, the leaf is charged.
std::string TopFunction(const Profile& profile, std::span<const Sample> samples,
                        Metric metric, const FrameLabels& labels,
                        std::span<const std::optional<StackCall>> calls);

}  // namespace heapprof
