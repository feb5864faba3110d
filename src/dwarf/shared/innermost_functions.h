// SPDX-License-Identifier: Apache-2.0
//
// Finds the innermost function at each address of a unit: an inlined
// subroutine, or the function that it is inlined into. This is the main header
// of shared/: rules and tables that both engines (units/ and libdw/) use, so
// that they give the same answers. The input is what an engine has read: the
// address ranges of units and functions, and names. The output: the units to
// search for an address, the function at it, its name, and ResolvedAddresses.
// Nothing in shared/ reads DWARF.
//
// The files of shared/ in the order of a lookup: address_range.h and
// interval_set.h (ranges), unit_ranges.h (the units to search), this file (the
// function at an address), function_naming.h (its name), answer_builder.h (puts
// the answers together), problem_log.h (collects what could not be read).
//
// The rules: a subprogram is never part of the one whose DIE encloses its DIE
// (as with a lambda or a method of a local class). If several subprograms cover
// an address, the one that was added first has it; likewise for several
// subroutines inlined into one function. Lexical blocks are ignored. If several
// units have a function at an address, the first unit in the file has it:
// Resolution::ChooseUnits() decides that in a lookup, and CodeMapBuilder::Add()
// for an index.
//
// Example: f() is at 10-20, g() is inlined into f() at 12-18, and h() into g()
// at 14-16. For the addresses 11, 13, 15 and 30, AddFunction(f) makes the
// innermost functions f f f -, then AddInlinedSubroutine(f, g) f g g -, then
// AddInlinedSubroutine(g, h) f g h -.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

// Functions and inlined subroutines are numbered from 0 in the order in which
// they are added.
class InnermostFunctions {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // `addresses` are sorted and outlive this object.
  explicit InnermostFunctions(std::span<const uint64_t> addresses);
  // Removes all functions, and starts again with other addresses.
  void Restart(std::span<const uint64_t> addresses);

  // Adds a function for the addresses in `ranges` that have none yet. Returns
  // its number. If there are no such addresses, adds nothing and returns kNone.
  uint32_t AddFunction(std::span<const AddressRange> ranges);

  // Adds a subroutine inlined into `caller`. It becomes the innermost function
  // of the addresses in `ranges` where `caller`, or a function that encloses
  // `caller`, was innermost. Returns its number. If the nesting is implausibly
  // deep, adds nothing and returns `caller`.
  uint32_t AddInlinedSubroutine(uint32_t caller,
                                std::span<const AddressRange> ranges);

  // The same for ranges given as slices of the addresses: from index `first` up
  // to, but not including, `end`.
  struct AddressSlice {
    size_t first = 0;
    size_t end = 0;
  };
  uint32_t AddFunction(std::span<const AddressSlice> slices);
  uint32_t AddInlinedSubroutine(uint32_t caller,
                                std::span<const AddressSlice> slices);

  // Appends the functions and inlined subroutines of `later`, which must be for
  // the same addresses. Neither object may have been restarted. Returns false
  // if an address has a function in both: `later` may then hold inlined
  // subroutines that this object would have rejected.
  bool Append(const InnermostFunctions& later);

  // True if every address has a function.
  bool is_complete() const { return uncovered_ == 0; }

  // The indices of the addresses without a function.
  std::vector<uint32_t> UncoveredAddresses() const;
  AddressRange RangeOf(uint32_t address) const {
    return {addresses_[address], addresses_[address] + 1};
  }

  // True if so many ranges overlap that the rest was ignored.
  bool exhausted() const { return budget_ == 0; }

  // By address: the innermost function or inlined subroutine, or kNone.
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
  std::vector<AddressSlice> slices_;  // a member only to reuse its memory
  // The function that was added last, and the slice that holds all its
  // addresses. The next inlined subroutine is usually in that function; its
  // addresses are then searched for only in that slice.
  uint32_t latest_function_ = kNone;
  AddressSlice latest_extent_ = {};
};

}  // namespace heapprof
