// SPDX-License-Identifier: Apache-2.0
//
// Finds the location of an address by its text. Nearly every address in a dump
// has occurred before in the same dump. Looking up its characters, as two
// 64-bit numbers, takes less time than parsing its digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/base/hash.h"
#include "heapprof/profile/profile.h"
#include "parse/text_scanner.h"

namespace heapprof {

// The cache of locations by address text. It is small enough for the
// processor's cache. If two addresses share a slot, the later one replaces the
// earlier one.
class AddressCache {
 public:
  using Token = TextScanner::Token;

  AddressCache() : entries_(size_t{1} << kBits) {}

  // Returns the location of the address `token`. Returns no location if the
  // address is not in the cache.
  LocationId Find(const Token& token) const {
    const Entry& entry = entries_[SlotOf(token)];
    return entry.low == token.low && entry.high == token.high ? entry.location
                                                              : LocationId();
  }

  // Adds an address. `token.size` must not be kTooLong, because such a token
  // does not hold all characters of the address.
  void Put(const Token& token, LocationId location) {
    entries_[SlotOf(token)] = {token.low, token.high, location};
  }

 private:
  struct Entry {
    uint64_t low = 0;
    uint64_t high = 0;
    LocationId location = {};
  };
  static constexpr int kBits = 15;

  // Uses the highest bits of the product, because only these depend on all
  // characters of the token.
  static size_t SlotOf(const Token& token) {
    const uint64_t mixed = token.low ^ (token.high * kHashMultiplier);
    return static_cast<size_t>((mixed * kHashMultiplier) >> (64 - kBits));
  }

  std::vector<Entry> entries_;
};

}  // namespace heapprof
