// SPDX-License-Identifier: Apache-2.0
//
// Sets of frames that have a name of their own where a regular expression may
// stand: "@std,@wrappers".
#pragma once

#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "transform/code_origin.h"
#include "transform/frame_matches.h"

namespace heapprof {

// What each set consists of; @std includes all code of the C and C++ runtime
// libraries.
using FrameSets = std::vector<CodeOrigin>;

inline bool NamesFrameSets(std::string_view pattern) {
  return pattern.starts_with('@');
}

// An error of kind kUsage, about `option`, if there is no such set.
Result<FrameSets> ParseFrameSets(std::string_view option,
                                 std::string_view names);

FrameMatches FindFrames(const Profile& profile, const FrameSets& sets);

}  // namespace heapprof
