// SPDX-License-Identifier: Apache-2.0
//
// Finds the location of an address by its text. Nearly every address of a
// dump has been there before, and comparing its characters as two numbers
// costs less than reading its digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/profile/profile.h"
#include "parse/text_scanner.h"

namespace heapprof {

// Small enough for the processor's cache: where there are more addresses, the
// later of two with one slot takes it.
class AddressCache {
 public:
  using Token = TextScanner::Token;

  AddressCache() : entries_(size_t{1} << kBits) {}

  // None if `token` is not known any more.
  LocationId Find(const Token& token) const {
    const Entry& entry = entries_[SlotOf(token)];
    return entry.low == token.low && entry.high == token.high ? entry.location
                                                              : LocationId();
  }

  // `token` must not be too long.
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

  // The highest bits of the product: only they depend on all characters.
  static size_t SlotOf(const Token& token) {
    constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    const uint64_t mixed = token.low ^ (token.high * kGoldenRatio);
    return static_cast<size_t>((mixed * kGoldenRatio) >> (64 - kBits));
  }

  std::vector<Entry> entries_;
};

}  // namespace heapprof
