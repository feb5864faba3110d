// SPDX-License-Identifier: Apache-2.0
//
// Which units of .debug_info claim an address as theirs. Several may: linkers
// keep one copy of a function and let the entries of all units refer to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

// A unit with the addresses it claims.
struct UnitQuery {
  uint32_t unit = 0;
  std::vector<uint32_t> addresses;  // indices into the addresses asked
};

class UnitClaims {
 public:
  // How many of the units that claim one address are considered.
  static constexpr size_t kMaxClaims = 8;

  void Add(AddressRange range, uint32_t unit) {
    claims_.push_back({range, unit});
  }
  size_t size() const { return claims_.size(); }
  // The claims added after the first `count`, sorted. Call before Sort().
  UnitClaims Since(size_t count) const;

  // Call between the last Add() and the first Find().
  void Sort();
  // What a unit claims, in no order.
  std::vector<AddressRange> RangesOf(uint32_t unit) const;
  // The units that claim any of `addresses` (sorted), by unit, each with its
  // addresses in order.
  std::vector<UnitQuery> Find(std::span<const uint64_t> addresses) const {
    std::vector<uint8_t> taken(addresses.size());
    return Find(addresses, taken);
  }
  // The same, where units before those that claim here have taken an address
  // `taken` times, which is brought up to date.
  std::vector<UnitQuery> Find(std::span<const uint64_t> addresses,
                              std::span<uint8_t> taken) const;

  // The ranges that Find() gives to a unit, by address.
  struct Share {
    uint32_t unit = 0;
    std::vector<AddressRange> ranges;
  };
  // The shares of all units that have one, by unit.
  std::vector<Share> Shares() const;

 private:
  struct Claim {
    AddressRange range;
    uint32_t unit = 0;
  };
  std::vector<Claim> claims_;   // by start, then unit
  std::vector<Claim> by_unit_;  // the same
};

}  // namespace heapprof
