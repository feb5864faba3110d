// SPDX-License-Identifier: Apache-2.0
//
// One walk over the entries of a unit that finds, for a set of addresses, the
// function that owns each and the inlined calls around it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dwarf/abbreviations.h"
#include "dwarf/address_owners.h"
#include "dwarf/address_range.h"
#include "dwarf/compilation_unit.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// A function with code, or a call inlined into one.
struct FunctionNode {
  uint64_t entry = 0;  // offset of the entry in .debug_info
  // The entry that describes all copies of the function: the abstract origin
  // or the declaration, else this one.
  uint64_t origin = 0;
  // The code that the call is inlined into.
  uint32_t parent = AddressOwners::kNone;
  // Of a function: where it is entered; 0 for inlined calls.
  uint64_t entry_address = 0;
  // Of an inlined call: where it is called from.
  std::optional<uint64_t> call_file = {};
  uint32_t call_line = 0;
  uint32_t call_column = 0;
};

// Which namespace, type or function encloses an entry. DWARF has no links to
// parents.
struct ScopeEntry {
  static constexpr uint32_t kTop = UINT32_MAX;

  uint64_t entry = 0;
  uint32_t parent = kTop;  // index of the enclosing scope
};

struct FunctionWalk {
  std::vector<FunctionNode> nodes;
  // Per address, the innermost node there, or AddressOwners::kNone.
  std::vector<uint32_t> innermost;
  std::vector<ScopeEntry> scopes;  // by entry
  // The abstract origins of out-of-line functions, and where those are
  // entered: the symbol there names the inlined copies too.
  struct Entry {
    uint64_t origin = 0;
    uint64_t address = 0;
  };
  std::vector<Entry> entries;
  std::string problem;  // why the rest of the unit was not read
};

// `addresses` are sorted; with none, only the scopes are of use.
FunctionWalk WalkFunctions(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           std::span<const uint64_t> addresses,
                           const ElfImage& binary);

// The code of all functions of a unit, taking the list entries that are read
// from `budget`.
std::vector<AddressRange> FunctionRanges(const UnitReader& reader,
                                         const AbbreviationTable& abbreviations,
                                         const ElfImage& binary,
                                         uint64_t& budget);

}  // namespace heapprof
