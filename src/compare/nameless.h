// SPDX-License-Identifier: Apache-2.0
//
// Code without names: an address in a module means nothing in another build of
// it.
#pragma once

#include <vector>

#include "compare/sides.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Returns the mean value per input of the stacks that have no name (see
// nameless_stack.h) and that therefore match nothing: the other side does not
// use their modules, so that addresses do not match, either. Call this before
// AverageRuns() and MatchStacks(). `sides` is the result of SidesOfLocations(),
// here and below.
Sides<Values> NamelessValues(const Profile& profile,
                             const std::vector<SideSet>& sides);

// Gives all addresses outside the memory map one name unless both sides have
// them. Usually, they are in a library that was unloaded before the dump, and
// which each process had at another address.
void NameCodeOutsideMap(const std::vector<SideSet>& sides, Profile& profile);

// Marks addresses without a name that only the base has as those of another
// build, if the new side has code of the same placeholder name. Otherwise
// reports, which add up by name, would match them.
void MarkNamelessOfBase(const std::vector<SideSet>& sides, Profile& profile);

}  // namespace heapprof
