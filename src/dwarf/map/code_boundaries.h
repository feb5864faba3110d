// SPDX-License-Identifier: Apache-2.0
//
// The addresses in a function at which something may change, ascending and
// each once, numbered from 0.
//
// A function has a boundary every few bytes. So there is a bit for each byte
// that it owns, which sorts them, and counting bits tells their numbers. Where
// that would take too many bits, they are sorted and searched.
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
  // Starts with the ranges that a function owns, by address and without
  // overlaps, which must outlive the use of them. All start at a boundary.
  void Restart(std::span<const AddressRange> own);
  // Adds a boundary if the function owns `address`.
  void Add(uint64_t address) {
    const auto at = FindOwn(address);
    if (at != own_.end() && at->start <= address) addresses_.push_back(address);
  }
  // Call behind the last Add().
  void Number();

  std::span<const uint64_t> addresses() const { return addresses_; }
  // How many boundaries lie in front of `address`.
  size_t CountBefore(uint64_t address) const {
    return words_.empty() ? CountSorted(address) : CountBits(BitOf(address));
  }

 private:
  // The bits of 64 bytes, and how many are set in the words before.
  struct Word {
    uint64_t bits = 0;
    size_t before = 0;
  };
  using Range = std::span<const AddressRange>::iterator;

  // The first range that ends behind `address`.
  Range FindOwn(uint64_t address) const {
    if (own_.size() == 1 && address < own_.front().end) return own_.begin();
    return std::ranges::upper_bound(own_, address, {}, &AddressRange::end);
  }
  // The bit of the first owned byte that does not lie in front of `address`.
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
  uint64_t size_ = 0;                 // bytes of the ranges
  std::vector<uint64_t> first_bits_;  // of the ranges
  std::vector<uint64_t> addresses_;
  std::vector<Word> words_;  // empty if there are too many
};

}  // namespace heapprof
