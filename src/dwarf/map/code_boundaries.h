// SPDX-License-Identifier: Apache-2.0
//
// The addresses in a function where its innermost function may change: sorted,
// unique, and numbered from 0.
//
// A function has a boundary every few bytes. So a bit per byte of its code
// sorts the boundaries, and counting bits gives their numbers. If that takes
// too many bits, the boundaries are sorted and searched instead.
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
  // Starts a function with the ranges `own`, by address and without overlaps,
  // which must stay valid. The start of each range is a boundary.
  void Restart(std::span<const AddressRange> own);
  // Adds a boundary, if `address` is in the function's ranges.
  void Add(uint64_t address) {
    const auto at = FindOwn(address);
    if (at != own_.end() && at->start <= address) addresses_.push_back(address);
  }
  // Call after the last Add().
  void Number();

  std::span<const uint64_t> addresses() const { return addresses_; }
  // How many boundaries are before `address`.
  size_t CountBefore(uint64_t address) const {
    return words_.empty() ? CountSorted(address) : CountBits(BitOf(address));
  }

 private:
  // The bits of 64 bytes, and the number of set bits in earlier words.
  struct Word {
    uint64_t bits = 0;
    size_t before = 0;
  };
  using Range = std::span<const AddressRange>::iterator;

  // The first range that ends after `address`.
  Range FindOwn(uint64_t address) const {
    if (own_.size() == 1 && address < own_.front().end) return own_.begin();
    return std::ranges::upper_bound(own_, address, {}, &AddressRange::end);
  }
  // The bit of the first byte of the function at or after `address`.
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
  uint64_t size_ = 0;                 // of all ranges, in bytes
  std::vector<uint64_t> first_bits_;  // of each range
  std::vector<uint64_t> addresses_;
  std::vector<Word> words_;  // empty if there would be too many
};

}  // namespace heapprof
