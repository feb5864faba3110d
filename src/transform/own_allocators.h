// SPDX-License-Identifier: Apache-2.0
//
// Finds the program's own allocators: arenas, pools and buffers that pass
// memory on to many parts of the program. Who called them says more about the
// memory than they do.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// True if a function may be part of an allocator, by the names of its scopes
// and its own: app::Arena::Grow, ceph::buffer::raw_combined::create. The name
// is in the short form (see ShortName()).
bool SoundsLikeAllocator(std::string_view short_name);

// Returns by FunctionId which functions pass memory on. They sound like parts
// of an allocator, several functions that do not call them, and none of these
// accounts for nearly all of the memory. A pool that a single function fills is
// no such allocator: it is what the memory is for. A function whose name begins
// with "allocate" needs only one caller. `is_own` says of each of
// Profile::lines whether it is the user's own code with a name.
std::vector<bool> FindOwnAllocators(const Profile& profile,
                                    const std::vector<bool>& is_own);

}  // namespace heapprof
