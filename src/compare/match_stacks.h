// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compare/sides.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Gives equal stacks one StackId, whichever input they are from; CompareSides()
// says which stacks are equal. Adds up the samples of a run that then have the
// same stack and thread, and the same mean size of objects. `sides` is the
// result of SidesOfLocations().
void MatchStacks(const std::vector<SideSet>& sides, Profile& profile);

}  // namespace heapprof
