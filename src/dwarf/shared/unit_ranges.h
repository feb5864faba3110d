// SPDX-License-Identifier: Apache-2.0
//
// Which units of .debug_info have an address in their ranges, like
// .debug_aranges. Several may: the linker keeps one copy of a function, and the
// DIEs of all units that define it refer to that copy.
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
  std::vector<uint32_t> addresses;  // indices into the addresses looked up
};

class UnitRanges {
 public:
  // At most this many units are looked up for one address.
  static constexpr size_t kMaxUnitsPerAddress = 8;

  void Add(AddressRange range, uint32_t unit) {
    ranges_.push_back({range, unit});
  }
  size_t size() const { return ranges_.size(); }
  // The ranges added after the first `count`, sorted. Call before Sort().
  UnitRanges AddedSince(size_t count) const;

  // Call between the last Add() and the first Find().
  void Sort();
  // The ranges of a unit, in no order.
  std::vector<AddressRange> RangesOf(uint32_t unit) const;
  // The units with any of `addresses` (sorted) in their ranges, by unit, each
  // with its addresses in order.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses) const {
    std::vector<uint8_t> unit_counts(addresses.size());
    return Find(addresses, unit_counts);
  }
  // The same for ranges that were added later: `unit_counts` holds the number
  // of earlier units of each address, and is updated.
  std::vector<UnitLookup> Find(std::span<const uint64_t> addresses,
                               std::span<uint8_t> unit_counts) const;

  // The ranges for which Find() returns a unit, by address.
  struct UnitCode {
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
  };
  // The ranges of all units that have any, by unit.
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
