// SPDX-License-Identifier: Apache-2.0
//
// Copies of locations without some of their inlined calls.
#pragma once

#include <vector>

#include "heapprof/profile/profile_builder.h"
#include "transform/frame_matches.h"

namespace heapprof {

// For each location with some matching calls, adds a copy without these calls
// to the profile of `builder`. Returns for each old location what to show
// instead: the copy; the location itself if no call matches; none if all calls
// match.
std::vector<LocationId> HideCalls(const FrameMatches& matches,
                                  ProfileBuilder& builder);

}  // namespace heapprof
