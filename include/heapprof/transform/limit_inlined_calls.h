// SPDX-License-Identifier: Apache-2.0
//
// Bounds what inlined calls cost in stacks. A debug file or a list of symbols
// can name a thousand inlined calls for one address, and stacks can repeat that
// address: half a megabyte of text would become a billion frames. frame_limit.h
// bounds what debug information says about many addresses.
#pragma once

#include <cstddef>
#include <optional>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct LimitedCalls {
  size_t locations = 0;  // that lost calls
  size_t kept = 0;       // calls that each of them still has
};

// Leaves each location only its innermost calls and the function that contains
// the code, if all stacks together have more than AllowedCalls().
std::optional<LimitedCalls> LimitInlinedCalls(Profile& profile);

}  // namespace heapprof
