// SPDX-License-Identifier: Apache-2.0
//
// Finds the location of an address by its text. Nearly every address of a
// dump has been there before, and comparing its characters as two numbers
// costs less than reading its digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/profile/profile.h"
#include "parse/text_scanner.h"

namespace heapprof {

class AddressTable {
 public:
  using Token = TextScanner::Token;

  AddressTable() : entries_(size_t{1} << kFirstBits) {}

  // None if `token` has not been added.
  LocationId Find(const Token& token) const {
    for (size_t slot = SlotOf(token.low, token.high);; slot = Next(slot))
      if (const Entry& entry = entries_[slot];
          (entry.low == token.low && entry.high == token.high) ||
          entry.location == LocationId())
        return entry.location;
  }

  // `token` must not be there yet and not be too long.
  void Add(const Token& token, LocationId location) {
    if (++used_ * 2 > entries_.size()) Grow();
    Insert({token.low, token.high, location});
  }

 private:
  struct Entry {
    uint64_t low = 0;
    uint64_t high = 0;
    LocationId location = {};  // none: free
  };
  static constexpr int kFirstBits = 10;

  // The highest bits of the product: only they depend on all characters.
  size_t SlotOf(uint64_t low, uint64_t high) const {
    constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;
    const uint64_t mixed = low ^ (high * kGoldenRatio);
    return static_cast<size_t>((mixed * kGoldenRatio) >> shift_);
  }
  size_t Next(size_t slot) const { return (slot + 1) & (entries_.size() - 1); }

  void Insert(const Entry& added) {
    size_t slot = SlotOf(added.low, added.high);
    while (entries_[slot].location != LocationId()) slot = Next(slot);
    entries_[slot] = added;
  }
  void Grow() {
    --shift_;
    const std::vector<Entry> old =
        std::exchange(entries_, std::vector<Entry>(entries_.size() * 2));
    for (const Entry& entry : old)
      if (entry.location != LocationId()) Insert(entry);
  }

  std::vector<Entry> entries_;  // open addressing
  int shift_ = 64 - kFirstBits;
  size_t used_ = 0;
};

}  // namespace heapprof
