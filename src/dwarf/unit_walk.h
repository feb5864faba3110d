// SPDX-License-Identifier: Apache-2.0
//
// One walk over the DIEs of a unit that finds, for a set of addresses, the
// function that owns each and the inlined calls around it.
//
// Rules: a subprogram is a root of its own, also inside another subprogram (a
// lambda, a method of a local class). The first subprogram in DIE order that
// covers an address owns it, and the first inlined call among siblings.
// Lexical blocks count for nothing.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/die_ranges.h"
#include "dwarf/die_walker.h"
#include "dwarf/problem_log.h"
#include "dwarf/scope_table.h"
#include "dwarf/unit_index.h"

namespace heapprof {

// A function with code, or a call inlined into one.
struct CodeNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  Dwarf_Die die = {};
  uint32_t parent = kNone;  // the code that the call is inlined into
  uint32_t depth = 0;       // inlined calls above this one
  // Of a function: where it is entered; 0 for inlined calls.
  uint64_t entry_address = 0;
};

// From the abstract origin of an out-of-line function to its entry: the
// symbol there names the inlined copies too.
using FunctionEntries = std::unordered_map<const void*, uint64_t>;

struct UnitWalk {
  std::vector<CodeNode> nodes;
  // Per address, the innermost node there, or CodeNode::kNone.
  std::vector<uint32_t> innermost;
  ScopeTable scopes;
  FunctionEntries entries;
};

// Walks `unit` for `addresses` (sorted).
UnitWalk WalkUnit(const Unit& unit, std::span<const uint64_t> addresses,
                  RangeReader& ranges, ProblemLog& problems);

}  // namespace heapprof
