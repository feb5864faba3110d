// SPDX-License-Identifier: Apache-2.0
//
// Decides which binaries of a process belong to the program, from the paths in
// the memory map.
#pragma once

#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// From what is surely the program's to what is surely not.
enum class ModuleOrigin : uint8_t {
  kProgram,  // the program, and libraries beside it
  // A system library that may belong to the program, but nothing shows it.
  // OwnCode counts it as the program's only if hardly any code in the program's
  // own files has a name.
  kPerhaps,
  kOther,
};

// Returns the origin of each mapping, by index. In a profile of several
// programs, what belongs to one of them is the program's. Index 0 is for code
// outside any file; it belongs to the program, because a JIT compiler probably
// made it.
std::vector<ModuleOrigin> ModuleOrigins(const Profile& profile);

}  // namespace heapprof
