// SPDX-License-Identifier: Apache-2.0
//
// Which labels a pattern on the command line means.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// By label: whether `matches` is true of it, of it without " (inline)", or of
// the full name of a function that it is shown for. Labels of files and modules
// are for many functions: only their own text counts.
std::vector<bool> MatchingLabels(
    const Profile& profile, const FrameLabels& labels,
    const std::function<bool(std::string_view name)>& matches);

}  // namespace heapprof
