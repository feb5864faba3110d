// SPDX-License-Identifier: Apache-2.0
//
// Copies of locations without some of their inlined calls.
#pragma once

#include <vector>

#include "heapprof/profile/profile_builder.h"
#include "transform/frame_matches.h"

namespace heapprof {

// Adds new locations to the profile of `builder`. Returns, for each old
// location, the location without the calls that match; none if all match.
std::vector<LocationId> HideCalls(const FrameMatches& matches,
                                  ProfileBuilder& builder);

}  // namespace heapprof
