// SPDX-License-Identifier: Apache-2.0
//
// Walks once over the DIEs of a unit, and finds the innermost function or
// inlined subroutine at each of a set of addresses.
//
// This is the main header of libdw/, the second engine, which reads DWARF with
// libdw. It is slower than our own reader (read/ and units/), and takes over
// files that our reader cannot read. Its input is a debug file and addresses,
// its output ResolvedAddresses. The files in the order of a lookup:
//   libdw_resolver.cc               from addresses to answers
//   libdw_units.h                   the units that hold an address
//   unit_walk.h                     the innermost functions in a unit
//   die_walker.h                    steps from DIE to DIE
//   die_ranges.h                    the address ranges of a DIE
//   libdw_function_info_reader.h    the name and declaration of a function
//   scope_table.h                   the scopes around a function
//   source_files.h, line_table.h    source positions
//   dwarf_section.h, libdw_error.h  wrap libdw calls
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

// A function with code, or an inlined subroutine.
struct LibdwFunctionNode {
  Dwarf_Die die = {};
  // The node that an inlined subroutine is inlined into; kNone for a function.
  uint32_t parent = InnermostFunctions::kNone;
  // 0 for an inlined subroutine.
  uint64_t entry_pc = 0;
};

// Maps the abstract origin of an out-of-line function (the address of its DIE
// in memory) to the entry PC of the function. The symbol at the entry PC also
// names the inlined copies.
using EntryPcs = std::unordered_map<const void*, uint64_t>;

struct UnitWalk {
  std::vector<LibdwFunctionNode> nodes;
  // For each address, the index of the innermost node, or
  // InnermostFunctions::kNone.
  std::vector<uint32_t> innermost;
  ScopeTable scopes;
  EntryPcs entry_pcs;
};

// Walks over `unit` to find the functions at `addresses`, which must be sorted.
UnitWalk WalkUnit(const LibdwUnit& unit, std::span<const uint64_t> addresses,
                  DieRangeReader& ranges, ProblemLog& problems);

}  // namespace heapprof
