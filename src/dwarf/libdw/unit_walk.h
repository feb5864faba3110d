// SPDX-License-Identifier: Apache-2.0
//
// One walk over the DIEs of a unit that finds, for a set of addresses, the
// function that owns each and the inlined calls around it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/libdw/die_ranges.h"
#include "dwarf/libdw/die_walker.h"
#include "dwarf/libdw/scope_table.h"
#include "dwarf/libdw/unit_index.h"
#include "dwarf/shared/address_owners.h"
#include "dwarf/shared/problem_log.h"

namespace heapprof {

// A function with code, or a call inlined into one.
struct CodeNode {
  Dwarf_Die die = {};
  // The code that the call is inlined into.
  uint32_t parent = AddressOwners::kNone;
  // Of a function: where it is entered; 0 for inlined calls.
  uint64_t entry_address = 0;
};

// From the abstract origin of an out-of-line function to its entry: the
// symbol there names the inlined copies too.
using FunctionEntries = std::unordered_map<const void*, uint64_t>;

struct UnitWalk {
  std::vector<CodeNode> nodes;
  // Per address, the innermost node there, or AddressOwners::kNone.
  std::vector<uint32_t> innermost;
  ScopeTable scopes;
  FunctionEntries entries;
};

// Walks `unit` for `addresses` (sorted).
UnitWalk WalkUnit(const LibdwUnit& unit, std::span<const uint64_t> addresses,
                  RangeReader& ranges, ProblemLog& problems);

}  // namespace heapprof
