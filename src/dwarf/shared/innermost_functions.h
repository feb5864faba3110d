// SPDX-License-Identifier: Apache-2.0
//
// The innermost function at each of a unit's addresses: an inlined subroutine,
// or the function that it is inlined into. These are the rules that both
// engines share.
//
// A subprogram is a root of its own, also inside another subprogram (a lambda,
// a method of a local class). If several subprograms cover an address, the one
// that was added first has it; the same holds for inlined subroutines with one
// parent. Lexical blocks are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

// Numbers functions and inlined subroutines from 0, in the order in which they
// are added.
class InnermostFunctions {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // `addresses` are sorted and outlive this object.
  explicit InnermostFunctions(std::span<const uint64_t> addresses);
  // Forgets the functions, and continues with other addresses.
  void Restart(std::span<const uint64_t> addresses);

  // Adds a function for the addresses in `ranges` that have none yet. Returns
  // its number; kNone, without adding it, if there are no such addresses.
  uint32_t AddFunction(std::span<const AddressRange> ranges);

  // Adds a subroutine inlined into `caller`. It becomes the innermost function
  // of the addresses in `ranges` where `caller`, or a function that encloses
  // `caller`, was innermost. Returns its number; `caller`, without adding it,
  // if the nesting is implausibly deep.
  uint32_t AddInlinedSubroutine(uint32_t caller,
                                std::span<const AddressRange> ranges);

  // The same for ranges that are given by the addresses that they cover: those
  // with an index from `first` on, before `end`.
  struct AddressSlice {
    size_t first = 0;
    size_t end = 0;
  };
  uint32_t AddFunction(std::span<const AddressSlice> slices);
  uint32_t AddInlinedSubroutine(uint32_t caller,
                                std::span<const AddressSlice> slices);

  // Appends the functions and inlined subroutines of `later`, which was made
  // for the same addresses. Neither may have been restarted. False if an
  // address has a function in both: then `later` may hold inlined subroutines
  // that this object would have rejected.
  bool Append(const InnermostFunctions& later);

  // True if every address has a function.
  bool is_complete() const { return uncovered_ == 0; }

  // The indices of the addresses without a function.
  std::vector<uint32_t> UncoveredAddresses() const;
  AddressRange RangeOf(uint32_t address) const {
    return {addresses_[address], addresses_[address] + 1};
  }

  // True if so many ranges overlap that the rest was not looked at.
  bool exhausted() const { return budget_ == 0; }

  // Per address, the innermost function or inlined subroutine, or kNone.
  std::span<const uint32_t> innermost() const { return innermost_; }
  std::vector<uint32_t> TakeInnermost() && { return std::move(innermost_); }

 private:
  struct Node {
    uint32_t caller = kNone;
    uint32_t depth = 0;  // of inlining; 0 for a function
    uint32_t function = 0;
  };

  std::span<const AddressSlice> SlicesOf(std::span<const AddressRange> ranges,
                                         AddressSlice among);
  template <typename Take>
  void ForEachCovered(std::span<const AddressSlice> slices, Take take);
  bool Encloses(uint32_t outer, uint32_t inner);

  std::span<const uint64_t> addresses_;
  uint64_t budget_;
  size_t uncovered_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> innermost_;
  std::vector<AddressSlice> slices_;  // kept for its memory
  // All addresses of the function that was added last lie in this slice; the
  // inlined subroutine that is added next is usually in that function.
  uint32_t latest_function_ = kNone;
  AddressSlice latest_extent_ = {};
};

}  // namespace heapprof
