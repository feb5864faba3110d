// SPDX-License-Identifier: Apache-2.0
//
// The labels that match a pattern from the command line.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// For each label: whether `matches` is true for it, for it without " (inline)",
// or for the full name of a function with this label. A file or module stands
// for many functions, so only its own text counts.
std::vector<bool> MatchingLabels(
    const Profile& profile, const FrameLabels& labels,
    const std::function<bool(std::string_view name)>& matches);

}  // namespace heapprof
