// SPDX-License-Identifier: Apache-2.0
//
// Finds the units of .debug_info whose ranges hold an address, as the section
// .debug_aranges would. Several units may hold the same address, because the
// linker keeps only one copy of an inline function, and the DIEs of all units
// that define the function then refer to this copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

// Limits on the range list entries that are read: more than any valid file has.
// The constant part of the limit on a unit is small, because a malicious file
// may have a unit every dozen bytes.
constexpr uint64_t RangeBudgetOfUnit(uint64_t unit_size) {
  return 4096 + 2 * unit_size;
}
// For the ranges of all root DIEs. Each entry takes at least a byte, and valid
// units do not share range lists.
constexpr uint64_t RangeBudgetOfRoots(uint64_t range_lists_size) {
  return 100'000 + range_lists_size;
}

// A unit and the addresses to look up in it.
struct UnitLookup {
  uint32_t unit = 0;
  std::vector<uint32_t> addresses;  // indices into the argument of Find()
};

class UnitRanges {
 public:
  // Find() returns at most this many units for one address, to limit the work:
  // those with the lowest numbers.
  static constexpr size_t kMaxUnitsPerAddress = 8;

  void Add(AddressRange range, uint32_t unit) {
    ranges_.push_back({range, unit});
  }
  size_t size() const { return ranges_.size(); }
  // Returns all ranges except the first `count` that were added. Sort() has
  // already been called for the result. Call this before Sort() of this object.
  UnitRanges AddedSince(size_t count) const;

  // Prepares for lookups. Call between the last Add() and the first Find().
  void Sort();
  // Returns the ranges of a unit, in no particular order. Call after Sort(), or
  // if all ranges were added in the order of units.
  std::vector<AddressRange> RangesOf(uint32_t unit) const;
  // Returns the units whose ranges hold any of `addresses`, which must be
  // sorted. The units, and the addresses of each unit, are in ascending order.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses) const {
    std::vector<uint8_t> unit_counts(addresses.size());
    return Find(addresses, unit_counts);
  }
  // Like Find() above, but for a search in several steps, because not all units
  // are known at the start. `unit_counts` holds, for each address, how many
  // units the earlier steps found; this step adds the number of units that it
  // finds.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses,
                               std::span<uint8_t> unit_counts) const;

  // The code of a unit: the ranges, sorted, for whose addresses Find() returns
  // `unit`.
  struct UnitCode {
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
  };
  // Returns the code of each unit that Find() can return, ordered by unit.
  std::vector<UnitCode> ByUnit() const;

 private:
  struct UnitRange {
    AddressRange range;
    uint32_t unit = 0;
  };
  std::vector<UnitRange> ranges_;   // by start, then unit
  std::vector<UnitRange> by_unit_;  // the same ranges, by unit
};

}  // namespace heapprof
