// SPDX-License-Identifier: Apache-2.0
//
// The change from the base side of a profile to its new side.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Subtracts the base samples from the new ones, stack by stack. A stack with
// equal values on both sides stays in the profile, because the errors of its
// values count in the error of a sum.
//
// Two stacks are the same if all of their frames are. If both sides ran the
// same build of a module, its frames are compared by module address. Otherwise,
// the function names are compared, after NormalizeName(); it does not matter
// whether a function is inlined.
//
// With `drop_negative`, negative differences become 0.
void Subtract(Profile& profile, bool drop_negative);

}  // namespace heapprof
