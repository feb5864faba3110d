// SPDX-License-Identifier: Apache-2.0
//
// Finds the routines of a profile: the functions as compiled, each of which a
// symbol of its binary names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

// The range of code that one symbol covers.
struct Routine {
  const Module* module = nullptr;
  uint64_t start = 0;  // file addresses
  uint64_t end = 0;
  std::string name = {};  // demangled
};

struct RoutineTable {
  std::vector<Routine> routines;
  // For each location of the profile, its index in `routines`, or kNoRoutine
  // (see view/disassembly.h).
  std::vector<uint32_t> routine_of;
};

// Returns the routines in the stacks that have a value. `symbolizer` is the one
// that named the frames of `profile`.
RoutineTable FindRoutines(const Profile& profile, const Symbolizer& symbolizer,
                          Metric metric);

// Keeps the routines for which `wanted` is true. It is indexed like
// RoutineTable::routines.
void SelectRoutines(const std::vector<bool>& wanted, RoutineTable& table);

}  // namespace heapprof
