// SPDX-License-Identifier: Apache-2.0
//
// The boundaries in a function: the addresses where the innermost function may
// change, because an inlined subroutine starts or ends there. They are sorted,
// unique, and numbered from 0.
//
// A function has a boundary every few bytes. So the boundaries are kept as a
// bitmap with one bit per byte of the function's code. The bitmap sorts them,
// and the number of a boundary is the number of set bits before it. If a bitmap
// would be too large, the boundaries are sorted and searched instead.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

class CodeBoundaries {
 public:
  // Starts a new function, whose code is `own`. These ranges must be sorted by
  // address, must not overlap, and must stay valid. The start of each range is
  // a boundary.
  void Restart(std::span<const AddressRange> own);
  // Adds a boundary, if `address` is in the function's ranges.
  void Add(uint64_t address) {
    const auto at = FindOwn(address);
    if (at != own_.end() && at->start <= address) addresses_.push_back(address);
  }
  // Sorts and numbers the boundaries. Call after the last Add().
  void Number();

  std::span<const uint64_t> addresses() const { return addresses_; }
  // Returns the number of boundaries before `address`.
  size_t CountBefore(uint64_t address) const {
    return words_.empty() ? CountSorted(address) : CountBits(BitOf(address));
  }

 private:
  // A word of the bitmap: the bits of 64 bytes of code, and the number of set
  // bits in all earlier words.
  struct Word {
    uint64_t bits = 0;
    size_t before = 0;
  };
  using Range = std::span<const AddressRange>::iterator;

  // Returns the first range that ends after `address`.
  Range FindOwn(uint64_t address) const {
    if (own_.size() == 1 && address < own_.front().end) return own_.begin();
    return std::ranges::upper_bound(own_, address, {}, &AddressRange::end);
  }
  // Returns the number of the bit for the function's first byte at or after
  // `address`.
  uint64_t BitOf(uint64_t address) const {
    const Range at = FindOwn(address);
    if (at == own_.end()) return size_;
    return first_bits_[static_cast<size_t>(at - own_.begin())] +
           std::max(address, at->start) - at->start;
  }
  size_t CountBits(uint64_t bit) const {
    const Word& word = words_[bit / 64];
    const uint64_t below = (uint64_t{1} << bit % 64) - 1;
    return word.before + static_cast<size_t>(std::popcount(word.bits & below));
  }
  size_t CountSorted(uint64_t address) const;
  void SetBits();

  std::span<const AddressRange> own_;
  uint64_t size_ = 0;                 // total size of the ranges, in bytes
  std::vector<uint64_t> first_bits_;  // number of the first bit of each range
  std::vector<uint64_t> addresses_;
  std::vector<Word> words_;  // empty if the bitmap would be too large
};

}  // namespace heapprof
