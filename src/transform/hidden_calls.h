// SPDX-License-Identifier: Apache-2.0
//
// Locations without some of their inlined calls, from any level.
#pragma once

#include <vector>

#include "heapprof/profile/profile_builder.h"
#include "transform/frame_matches.h"

namespace heapprof {

// By location of the profile, to which new ones are added: the location
// without the calls that match; none if all match.
std::vector<LocationId> HideCalls(const FrameMatches& matches,
                                  ProfileBuilder& builder);

}  // namespace heapprof
