// SPDX-License-Identifier: Apache-2.0
//
// The change from the base side of a profile to its new side.
#pragma once

#include "heapprof/profile/profile.h"

namespace heapprof {

// Subtracts the base samples from the new ones, stack by stack. A stack whose
// values are equal stays, unchanged, because its error is part of the error of
// sums. Two stacks are the same if their frames are: within one build of a
// module by module address, across two builds by normalised function names,
// whether inlined or not.
//
// With `drop_negative`, stacks that shrank count as unchanged.
void Subtract(Profile& profile, bool drop_negative);

}  // namespace heapprof
