// SPDX-License-Identifier: Apache-2.0
//
// Named sets of frames, which may be used instead of a regular expression:
// "@std,@wrappers".
#pragma once

#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "transform/code_origin.h"
#include "transform/frame_matches.h"

namespace heapprof {

// The origins of code in the named sets. kStandardLibrary (@std) also stands
// for all code in the files of the C and C++ runtime libraries.
using FrameSets = std::vector<CodeOrigin>;

inline bool NamesFrameSets(std::string_view pattern) {
  return pattern.starts_with('@');
}

// Parses a list of sets, such as "@std,@wrappers". An unknown set is an error
// of kind kUsage, whose message contains `option`.
Result<FrameSets> ParseFrameSets(std::string_view option,
                                 std::string_view names);

FrameMatches FindFrames(const Profile& profile, const FrameSets& sets);

}  // namespace heapprof
