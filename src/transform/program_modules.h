// SPDX-License-Identifier: Apache-2.0
//
// Decides which binaries of a process belong to the program, from the paths in
// the memory map.
#pragma once

#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

enum class ModuleOrigin : uint8_t {
  kProgram,  // the program, and libraries beside it
  // A system library that may belong to the program. It counts as the program's
  // only if hardly any of the program's code has a name.
  kPerhaps,
  kOther,
};

// Returns the origin of each mapping, by index. Code outside any file, which a
// JIT compiler has made, belongs to the program.
std::vector<ModuleOrigin> ModuleOrigins(const Profile& profile);

// True for the C and C++ runtime libraries: libc.so.6, libstdc++.so.6,
// ld-linux-x86-64.so.2.
bool IsRuntimeLibrary(std::string_view path);

}  // namespace heapprof
