// SPDX-License-Identifier: Apache-2.0
//
// Lists the units of .debug_info, and finds those with an address in their
// ranges. The ranges come from the root DIEs, because .debug_aranges is often
// missing or incomplete. If a root DIE has no ranges, they come from the DIEs
// of the unit's functions.
//
// Several units may hold the same address: if the linker discards a duplicate
// of an inline function, it makes the DIEs of the duplicate refer to the copy
// that it keeps. Therefore several units describe the same code. Of the units
// with a function at an address, the one at the lowest offset answers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/libdw/die_ranges.h"
#include "dwarf/shared/problem_log.h"
#include "dwarf/shared/unit_ranges.h"

namespace heapprof {

struct LibdwUnit {
  uint64_t offset = 0;  // in .debug_info
  Dwarf_Die root = {};
  const uint8_t* end = nullptr;  // first byte after the unit
};

class LibdwUnits {
 public:
  // `dwarf` must outlive this object.
  LibdwUnits(Dwarf* dwarf, DieRangeReader& ranges, ProblemLog& problems);

  const std::vector<LibdwUnit>& units() const { return units_; }
  // Returns the units whose ranges hold any of `addresses`, which must be
  // sorted. The units are ordered by offset, and the addresses of each unit are
  // in ascending order.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses) const {
    return ranges_by_unit_.Find(addresses);
  }

 private:
  void AddRanges(uint32_t unit, uint16_t version, DieRangeReader& ranges,
                 ProblemLog& problems);
  void AddFunctionRanges(uint32_t unit, DieRangeReader& ranges);

  std::vector<LibdwUnit> units_;  // by offset
  UnitRanges ranges_by_unit_;
};

// Returns the unit with the root DIE `root`. Its `end` is null if `root` is not
// in `debug_info`, because the unit is in .debug_types or is damaged.
LibdwUnit UnitOf(Dwarf_Die root, std::span<const uint8_t> debug_info);

// Returns how many range list entries may be read for a unit.
uint64_t RangeBudget(const LibdwUnit& unit);

}  // namespace heapprof
