// SPDX-License-Identifier: Apache-2.0
//
// Which compilation units have an address in their ranges. Built from the
// ranges of every unit's root DIE: .debug_aranges is missing or incomplete too
// often.
//
// Several units may have the same address. Where the linker discards a
// duplicate of an inline function it points that unit's debug information at
// the copy it kept, so all of them describe the same code. The unit at the
// lowest offset then answers, whatever the order of the questions.
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
  // `dwarf` must outlive the index.
  LibdwUnits(Dwarf* dwarf, DieRangeReader& ranges, ProblemLog& problems);

  const std::vector<LibdwUnit>& units() const { return units_; }
  // The units with any of `addresses` (sorted) in their ranges, by offset, each
  // with its addresses in order.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses) const {
    return ranges_by_unit_.Find(addresses);
  }

 private:
  void AddRanges(uint32_t unit, DieRangeReader& ranges, ProblemLog& problems);
  void AddFunctionRanges(uint32_t unit, DieRangeReader& ranges);

  std::vector<LibdwUnit> units_;  // by offset
  UnitRanges ranges_by_unit_;
};

// The unit with the root DIE `root`, which is in `debug_info`. Its `end` is
// null if it is not (.debug_types, or damaged).
LibdwUnit UnitOf(Dwarf_Die root, std::span<const uint8_t> debug_info);

// How many range entries the DIEs of a unit may have in all: more than any
// compiler writes for that many bytes.
uint64_t RangeBudget(const LibdwUnit& unit);

}  // namespace heapprof
