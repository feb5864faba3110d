// SPDX-License-Identifier: Apache-2.0
//
// Finds the mapping of each location of a profile in a memory map.
#pragma once

#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"

namespace heapprof {

// Adds one Mapping for each file that has executable memory, even if the file
// has several lines in the map, and one for each special region such as
// "[vdso]". The first file that is not named like a library is taken to be the
// program, whose mapping comes first: libraries are mapped below it if the
// stack is unlimited, or if the program is started through ld.so. Then sets
// `mapping` and `module_address` of each location. A location outside
// executable memory gets no mapping.
void AssignMappings(const MemoryMap& map, ProfileBuilder& builder);

// Gives the locations without a mapping those of `earlier`, a memory map of the
// process from before it unloaded their libraries.
void AssignUnloaded(const MemoryMap& earlier, Profile& profile);

}  // namespace heapprof
