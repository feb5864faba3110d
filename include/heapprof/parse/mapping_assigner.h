// SPDX-License-Identifier: Apache-2.0
//
// Joins the locations of a profile with its memory map.
#pragma once

#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile_builder.h"

namespace heapprof {

// Adds one Mapping per file with executable memory (however many lines of the
// map it has; the program itself comes first) and one per special region. Then
// gives each location its mapping and module address. Addresses outside the map
// keep mapping "none".
void AssignMappings(const MemoryMap& map, ProfileBuilder& builder);

}  // namespace heapprof
