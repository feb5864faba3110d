// SPDX-License-Identifier: Apache-2.0
//
// The answers of one unit for all of its addresses: the inline ranges of its
// code, laid over the line rows of its line program.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dwarf/read/line_program.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/units/unit_scan.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Code with one innermost function and one line row.
struct UnitMapRow {
  AddressRange range;
  uint32_t node = InnermostFunctions::kNone;  // index into UnitMap::nodes
  LinePosition line_row;
};

struct UnitMap {
  std::vector<FunctionNode> nodes;
  // By address. Each has a node, a line row or both.
  std::vector<UnitMapRow> rows;
  const LineProgram* line_program = nullptr;
  UnitScan scan;
  bool is_complete = true;  // everything could be read
};

// Maps the code of a unit in the ranges `wanted`, which are sorted by address.
UnitMap MapUnit(UnitStore& units, uint32_t unit,
                std::span<const AddressRange> wanted, const ElfImage& binary,
                const SymbolTable& symbols);

}  // namespace heapprof
