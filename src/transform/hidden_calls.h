// SPDX-License-Identifier: Apache-2.0
//
// Copies of locations without some of their inlined calls.
#pragma once

#include <vector>

#include "heapprof/profile/profile_builder.h"
#include "transform/frame_matches.h"

namespace heapprof {

// For each location with some matching calls, adds a copy without these calls
// to the profile of `builder`. Returns, by old location, the location to show
// instead: the copy; the old location itself if no call matches; none if all
// calls match.
std::vector<LocationId> HideCalls(const FrameMatches& matches,
                                  ProfileBuilder& builder);

}  // namespace heapprof
