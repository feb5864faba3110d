// SPDX-License-Identifier: Apache-2.0
//
// Walks once over the DIEs of a unit, and finds the innermost function or
// inlined subroutine at each of a set of addresses. This is the main header of
// libdw/, the second engine, which reads DWARF with libdw: it is slower than
// read/ and units/, and takes over files that they cannot read. Its input is a
// debug file and addresses, its output ResolvedAddresses.
//
// The files of libdw/ in the order of a lookup: libdw_resolver.cc (from
// addresses to answers), libdw_units.h (the units with an address), this file,
// die_walker.h (steps from DIE to DIE), die_ranges.h (the ranges of a DIE),
// libdw_function_info_reader.h (a function's name and declaration),
// scope_table.h (the scopes around it), source_files.h and line_table.h (source
// positions). dwarf_section.h and libdw_error.h wrap libdw calls.
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
  // The node that an inlined subroutine is inlined into; kNone for a function.
  uint32_t parent = InnermostFunctions::kNone;
  // 0 for an inlined subroutine.
  uint64_t entry_pc = 0;
};

// Maps the abstract origin of an out-of-line function to its entry PC: the
// symbol there also names the inlined copies.
using EntryPcs = std::unordered_map<const void*, uint64_t>;

struct UnitWalk {
  std::vector<LibdwFunctionNode> nodes;
  // By address: the innermost node, or InnermostFunctions::kNone.
  std::vector<uint32_t> innermost;
  ScopeTable scopes;
  EntryPcs entry_pcs;
};

// Walks `unit` for `addresses` (sorted).
UnitWalk WalkUnit(const LibdwUnit& unit, std::span<const uint64_t> addresses,
                  DieRangeReader& ranges, ProblemLog& problems);

}  // namespace heapprof
