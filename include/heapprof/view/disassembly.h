// SPDX-License-Identifier: Apache-2.0
//
// What each instruction of selected functions holds: the numbers next to their
// machine code.
//
// A routine is the code that a symbol of the binary names: a function as
// compiled, including all functions that were inlined into it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

// A place in the source from which an instruction was compiled. The ids are
// those of CodeRoutine::strings.
struct CodePlace {
  StringId function = {};
  StringId file = {};  // none: unknown
  uint32_t line = 0;   // 0: unknown

  friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

struct CodeInstruction {
  uint64_t address = 0;  // virtual address in the ELF file
  std::string text;
  // The inlined calls that contain the instruction, innermost first, and at the
  // end the routine itself. Empty if unknown.
  std::vector<CodePlace> places = {};
};

struct CodeRoutine {
  std::string name;
  std::string full_name;  // shown if several routines share `name`
  std::string binary;     // path of the binary on this machine
  StringTable strings;
  std::vector<CodeInstruction> instructions;  // sorted by address
};

struct ListedInstruction {
  uint64_t address = 0;
  std::string text;
  double flat = 0;        // what the stacks hold whose leaf is the instruction
  double cumulative = 0;  // what all stacks hold that contain the instruction
};

// Adjacent instructions with the same CodeInstruction::places.
struct InstructionBlock {
  std::vector<CodePlace> places;
  double flat = 0;
  double cumulative = 0;
  std::vector<ListedInstruction> instructions;
};

struct ListedRoutine {
  std::string name;    // the full name if several routines share the short one
  std::string binary;  // path; set only if another listed routine has this name
  StringTable strings;
  double flat = 0;
  double cumulative = 0;
  double percent = 0;  // `cumulative` as a percentage of the sum of all stacks
  std::vector<InstructionBlock> blocks;
};

// Returns for each location whether it is in a stack with a value other than 0.
std::vector<bool> CountedLocations(const Profile& profile, Metric metric);

// In MakeDisassembly()'s `routine_of`, marks a location that is in no routine.
inline constexpr uint32_t kNoRoutine = UINT32_MAX;

// Returns the routines, sorted by absolute cumulative value, largest first. A
// stack counts once for each of its routines, blocks and instructions, even if
// they occur in it several times. `routine_of[i]` is the routine of location i:
// an index into `routines`, or kNoRoutine.
std::vector<ListedRoutine> MakeDisassembly(
    const Profile& profile, Metric metric, std::vector<CodeRoutine> routines,
    const std::vector<uint32_t>& routine_of);

}  // namespace heapprof
