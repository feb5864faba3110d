// SPDX-License-Identifier: Apache-2.0
//
// What one unit answers for all addresses it claims: the pieces of its code,
// laid over the spans of its line table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dwarf/read/line_program.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/units/function_walk.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

struct UnitSegment {
  AddressRange range;
  uint32_t node = AddressOwners::kNone;  // index into UnitMap::nodes
  LinePosition row;
};

struct UnitMap {
  std::vector<FunctionNode> nodes;
  // By address. Each has a node or a row.
  std::vector<UnitSegment> segments;
  const LineProgram* line_program = nullptr;
  UnitScan scan;
  bool is_sound = true;  // everything could be read
};

// `wanted` are the ranges for which the unit's answers are of use, by address.
UnitMap MapUnit(UnitStore& units, uint32_t unit,
                std::span<const AddressRange> wanted, const ElfImage& binary,
                const SymbolTable& symbols);

}  // namespace heapprof
