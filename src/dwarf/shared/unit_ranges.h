// SPDX-License-Identifier: Apache-2.0
//
// Finds the units of .debug_info whose ranges hold an address, like
// .debug_aranges. There may be several such units: the linker keeps one copy of
// an inline function, and the DIEs of all units that define it refer to that
// copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

// A unit and the addresses to look up in it.
struct UnitLookup {
  uint32_t unit = 0;
  std::vector<uint32_t> addresses;  // indices into the argument of Find()
};

class UnitRanges {
 public:
  // Find() returns at most this many units for one address: those with the
  // lowest numbers.
  static constexpr size_t kMaxUnitsPerAddress = 8;

  void Add(AddressRange range, uint32_t unit) {
    ranges_.push_back({range, unit});
  }
  size_t size() const { return ranges_.size(); }
  // The ranges added after the first `count`, sorted. Call before Sort().
  UnitRanges AddedSince(size_t count) const;

  // Call between the last Add() and the first Find().
  void Sort();
  // The ranges of a unit, not sorted.
  std::vector<AddressRange> RangesOf(uint32_t unit) const;
  // The units whose ranges hold any of `addresses` (sorted), ordered by unit,
  // each with its addresses in order.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses) const {
    std::vector<uint8_t> unit_counts(addresses.size());
    return Find(addresses, unit_counts);
  }
  // The same for ranges that are searched in steps: `unit_counts` holds, by
  // address, the number of units that were found in earlier steps, and is
  // updated.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses,
                               std::span<uint8_t> unit_counts) const;

  // The ranges in which Find() returns `unit`, sorted.
  struct UnitCode {
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
  };
  // One for each unit that has ranges, ordered by unit.
  std::vector<UnitCode> ByUnit() const;

 private:
  struct UnitRange {
    AddressRange range;
    uint32_t unit = 0;
  };
  std::vector<UnitRange> ranges_;   // by start, then unit
  std::vector<UnitRange> by_unit_;  // the same ranges
};

}  // namespace heapprof
