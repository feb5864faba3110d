// SPDX-License-Identifier: Apache-2.0
//
// Finds the location of an address by its text. Nearly every address of a dump
// has occurred before, and comparing its characters as two numbers costs less
// than parsing its digits.
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

  // None if `token` is not, or no longer, in the cache.
  LocationId Find(const Token& token) const {
    const Entry& entry = entries_[SlotOf(token)];
    return entry.low == token.low && entry.high == token.high ? entry.location
                                                              : LocationId();
  }

  // `token.size` must not be kTooLong: such a token does not hold all
  // characters.
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

  // Uses the highest bits of the product: only these depend on all characters.
  static size_t SlotOf(const Token& token) {
    const uint64_t mixed = token.low ^ (token.high * kHashMultiplier);
    return static_cast<size_t>((mixed * kHashMultiplier) >> (64 - kBits));
  }

  std::vector<Entry> entries_;
};

}  // namespace heapprof
