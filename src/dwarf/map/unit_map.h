// SPDX-License-Identifier: Apache-2.0
//
// The answers of one unit for all of its addresses. They combine the inline
// ranges (the innermost functions) with the rows of the line program.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dwarf/read/line_program.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/units/unit_scan.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// A range of code in which neither the innermost function nor the line row
// changes.
struct UnitMapRow {
  AddressRange range;
  uint32_t node = InnermostFunctions::kNone;  // index into UnitMap::nodes
  LinePosition line_row;
};

struct UnitMap {
  std::vector<FunctionNode> nodes;
  // Sorted by address. Each row has a node, a line row or both.
  std::vector<UnitMapRow> rows;
  const LineProgram* line_program = nullptr;
  UnitScan scan;
  bool is_complete = true;  // everything could be read
};

// Makes the map of a unit for the code in `wanted`, which must be sorted by
// address.
UnitMap MapUnit(UnitStore& units, uint32_t unit,
                std::span<const AddressRange> wanted, const ElfImage& binary,
                const SymbolTable& symbols);

}  // namespace heapprof
