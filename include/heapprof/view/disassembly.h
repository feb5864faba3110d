// SPDX-License-Identifier: Apache-2.0
//
// What each instruction of some functions holds: the numbers beside their
// machine code.
//
// A routine is what a symbol of the binary names: a function as the compiler
// left it, with all that was inlined into it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// Where an instruction comes from. The strings are the routine's.
struct CodePlace {
  StringId function = {};
  StringId file = {};  // none: not known
  uint32_t line = 0;   // 0: not known

  friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

struct CodeInstruction {
  uint64_t address = 0;  // file address
  std::string text;
  // Innermost inlined call first, the routine itself last; empty: not known.
  std::vector<CodePlace> places = {};
};

struct CodeRoutine {
  std::string name;
  std::string full_name;  // for when routines share a name
  std::string binary;     // path of its file on this machine
  StringTable strings;
  std::vector<CodeInstruction> instructions;  // by address
};

struct ListedInstruction {
  uint64_t address = 0;
  std::string text;
  double flat = 0;        // allocated by the call that it is
  double cumulative = 0;  // and by what that call calls
};

// Neighbours that come from one place.
struct InstructionBlock {
  std::vector<CodePlace> places;
  double flat = 0;
  double cumulative = 0;
  std::vector<ListedInstruction> instructions;
};

struct ListedRoutine {
  std::string name;    // the full one if several routines share the other
  std::string binary;  // empty: no other routine listed has this name
  StringTable strings;
  double flat = 0;
  double cumulative = 0;
  double percent = 0;  // cumulative, of all stacks
  std::vector<InstructionBlock> blocks;
};

// By location: whether a stack that holds something has it.
std::vector<bool> CountedLocations(const Profile& profile, Metric metric);

// The largest cumulative value first. A stack counts once for each routine,
// block and instruction that it has, however often. `routine_of[i]` is the
// routine of location i as an index into `routines`, or kNoRoutine.
inline constexpr uint32_t kNoRoutine = UINT32_MAX;
std::vector<ListedRoutine> MakeDisassembly(
    const Profile& profile, Metric metric, std::vector<CodeRoutine> routines,
    const std::vector<uint32_t>& routine_of);

}  // namespace heapprof
