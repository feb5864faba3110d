// SPDX-License-Identifier: Apache-2.0
//
// Joins the locations of a profile with its memory map.
#pragma once

#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile_builder.h"

namespace heapprof {

// Adds one Mapping for each file that has executable memory, even if the file
// has several lines in the map, and one for each special region such as
// "[vdso]". The first such file is taken to be the program. Then gives each
// location its mapping and module address. A location outside the map keeps the
// mapping "none".
void AssignMappings(const MemoryMap& map, ProfileBuilder& builder);

}  // namespace heapprof
