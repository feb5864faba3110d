// SPDX-License-Identifier: Apache-2.0
//
// One walk over the DIEs of a unit that finds, for a set of addresses, the
// innermost function or inlined subroutine at each.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/libdw/die_ranges.h"
#include "dwarf/libdw/die_walker.h"
#include "dwarf/libdw/libdw_units.h"
#include "dwarf/libdw/scope_table.h"
#include "dwarf/shared/innermost_functions.h"
#include "dwarf/shared/problem_log.h"

namespace heapprof {

// A function with code, or a subroutine inlined into one.
struct LibdwFunctionNode {
  Dwarf_Die die = {};
  // What the subroutine is inlined into.
  uint32_t parent = InnermostFunctions::kNone;
  // 0 for inlined subroutines.
  uint64_t entry_pc = 0;
};

// From the abstract origin of an out-of-line function to its entry PC: the
// symbol there names the inlined copies too.
using EntryPcs = std::unordered_map<const void*, uint64_t>;

struct UnitWalk {
  std::vector<LibdwFunctionNode> nodes;
  // Per address, the innermost node there, or InnermostFunctions::kNone.
  std::vector<uint32_t> innermost;
  ScopeTable scopes;
  EntryPcs entry_pcs;
};

// Walks `unit` for `addresses` (sorted).
UnitWalk WalkUnit(const LibdwUnit& unit, std::span<const uint64_t> addresses,
                  DieRangeReader& ranges, ProblemLog& problems);

}  // namespace heapprof
