// SPDX-License-Identifier: Apache-2.0
//
// Which of a process's binaries belong to the program, judged by the paths in
// the memory map.
#pragma once

#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

enum class ModuleOrigin : uint8_t {
  kProgram,  // the program, and libraries beside it
  // A library of the system that may be the program's: judged as if it were,
  // where the program itself has no names.
  kPerhaps,
  kOther,
};

// By mapping. Code outside of any file, which a JIT compiler made, is the
// program's.
std::vector<ModuleOrigin> ModuleOrigins(const Profile& profile);

// The C and C++ runtime: libc.so.6, libstdc++.so.6, ld-linux-x86-64.so.2.
bool IsRuntimeLibrary(std::string_view path);

}  // namespace heapprof
