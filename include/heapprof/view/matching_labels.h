// SPDX-License-Identifier: Apache-2.0
//
// The labels and functions that match a pattern from the command line.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/function_names.h"

namespace heapprof {

// Returns, for each label, whether `matches` is true for its text, for its text
// without " (inline)", or for one of the ShownNames() of a function that has
// this label. If `matches` is true for " (inline)" alone, only the text before
// it counts. If labels are files or modules, only the text counts, because such
// a label stands for many functions.
std::vector<bool> MatchingLabels(
    const Profile& profile, const FrameLabels& labels,
    const std::function<bool(std::string_view name)>& matches);

// Returns, for each function of the profile, whether `matches` is true for its
// name in `names`, such as "f@1ba0", or for one of its ShownNames().
std::vector<bool> MatchingFunctions(
    const Profile& profile, const FunctionNames& names,
    const std::function<bool(std::string_view name)>& matches);

}  // namespace heapprof
