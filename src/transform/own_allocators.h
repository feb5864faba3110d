// SPDX-License-Identifier: Apache-2.0
//
// Finds the program's own allocators: arenas, pools and buffers that pass
// memory on to many parts of the program. Who called them says more about the
// memory than they do.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns by FunctionId which functions pass memory on. They sound like parts
// of an allocator (see SoundsLikeAllocator()), several functions of own code
// call them, and none of these callers accounts for nearly all of the memory. A
// pool that a single function fills is no such allocator: it is what the memory
// is for. A function whose name begins with "allocate" needs only one caller.
// Functions with the same short name count as one, as those of two builds.
// `is_own` says of each of Profile::lines whether it is the user's own code
// with a name.
std::vector<bool> FindOwnAllocators(const Profile& profile,
                                    const std::vector<bool>& is_own);

}  // namespace heapprof
