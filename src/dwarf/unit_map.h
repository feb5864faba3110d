// SPDX-License-Identifier: Apache-2.0
//
// What one unit answers for all addresses it claims.
//
// Answers only change where a range of a function, of a call or of a line row
// starts or ends. So these boundaries are resolved as if they had been asked
// for, by the same rules, and each answer holds up to the next boundary.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dwarf/address_range.h"
#include "dwarf/function_walk.h"
#include "dwarf/line_table.h"
#include "dwarf/unit_store.h"
#include "heapprof/elf/elf_image.h"

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
  const LineTable* lines = nullptr;
  UnitScan scan;
  bool is_sound = true;  // everything could be read
};

// `claimed` are the ranges that the unit may answer for, by address.
UnitMap MapUnit(UnitStore& units, uint32_t unit,
                std::span<const AddressRange> claimed, const ElfImage& binary);

}  // namespace heapprof
