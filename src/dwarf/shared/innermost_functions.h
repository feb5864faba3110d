// SPDX-License-Identifier: Apache-2.0
//
// Finds the innermost function at each address of a unit: the innermost inlined
// subroutine there or, if nothing is inlined there, the function with the code.
//
// This is the main header of shared/: the rules and tables that both DWARF
// engines (units/ and libdw/) use, so that they give the same answers. The
// input is what an engine has read: names, and the address ranges of units and
// functions. Nothing in shared/ reads DWARF. The files in the order of a
// lookup:
//   address_range.h, interval_set.h   ranges of addresses
//   unit_ranges.h                     the units to search for an address
//   innermost_functions.h             the innermost function at an address
//   function_naming.h                 the name of a function
//   answer_builder.h                  puts the ResolvedAddresses together
//   problem_log.h                     collects what could not be read
//
// The rules that choose the function at an address:
// - A subprogram is never part of another one, even if its DIE is inside of the
//   other one's DIE (as with a lambda or a method of a local class).
// - If several subprograms cover an address, the one that was added first has
//   the address. Likewise, if several subroutines that are inlined into the
//   same function cover an address, the first one has it.
// - An inlined subroutine has no code outside of its caller, whatever its
//   ranges say. So a scan need not read what is inlined into a subroutine that
//   has none of the addresses.
// - In DWARF 2, which has no range lists, an inlined subroutine also has the
//   ranges of the subroutines inlined into it.
// - Lexical blocks are ignored.
// - If several units have a function at an address, the first unit in the file
//   has the address. Resolution::ChooseUnits() applies this rule in a lookup,
//   CodeMapBuilder::Add() for an index.
//
// Example: f() is at 10-20, g() is inlined into f() at 12-18, and h() into g()
// at 14-16. The innermost functions at four addresses are then:
//                                 11  13  15  30
//   after adding f as a function   f   f   f   -
//   after adding g inlined into f  f   g   g   -
//   after adding h inlined into g  f   g   h   -
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

  // `addresses` must be sorted, and must outlive this object.
  explicit InnermostFunctions(std::span<const uint64_t> addresses);
  // Removes all functions, and starts again with other addresses.
  void Restart(std::span<const uint64_t> addresses);

  // Adds a function for the addresses in `ranges` that have no function yet,
  // and returns its number. If there are no such addresses, adds nothing and
  // returns kNone.
  uint32_t AddFunction(std::span<const AddressRange> ranges);

  // Adds a subroutine inlined into `caller`, and returns its number. At each
  // address in `ranges`, it becomes the innermost function if that was
  // `caller`. If there are no such addresses, or the nesting is implausibly
  // deep, adds nothing and returns kNone.
  uint32_t AddInlinedSubroutine(uint32_t caller,
                                std::span<const AddressRange> ranges);

  // A slice of the addresses: from index `first` up to, but not including,
  // index `end`. The two functions below take slices instead of ranges.
  struct AddressSlice {
    size_t first = 0;
    size_t end = 0;
  };
  uint32_t AddFunction(std::span<const AddressSlice> slices);
  uint32_t AddInlinedSubroutine(uint32_t caller,
                                std::span<const AddressSlice> slices);

  // Appends the functions and inlined subroutines of `later`, which must be for
  // the same addresses. Neither object may have been restarted. Returns false
  // if some address has a function in both objects. In that case this object
  // may get functions and inlined subroutines that it would not have if all had
  // been added to it directly.
  bool Append(const InnermostFunctions& later);

  // True if every address has a function.
  bool is_complete() const { return uncovered_ == 0; }

  // Returns the indices of the addresses without a function.
  std::vector<uint32_t> UncoveredAddresses() const;
  AddressRange RangeOf(uint32_t address) const {
    return {addresses_[address], addresses_[address] + 1};
  }

  // True if so many ranges overlap that some were ignored to limit the work.
  bool exhausted() const { return budget_ == 0; }

  // For each address, the number of the innermost function or inlined
  // subroutine; kNone if there is none.
  std::span<const uint32_t> innermost() const { return innermost_; }
  std::vector<uint32_t> TakeInnermost() && { return std::move(innermost_); }

 private:
  struct Node {
    uint32_t depth = 0;  // of inlining; 0 for a function
    uint32_t function = 0;
  };

  std::span<const AddressSlice> SlicesOf(std::span<const AddressRange> ranges,
                                         AddressSlice among);
  template <typename Take>
  void ForEachCovered(std::span<const AddressSlice> slices, Take take);

  std::span<const uint64_t> addresses_;
  uint64_t budget_;
  size_t uncovered_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> innermost_;
  std::vector<AddressSlice> slices_;  // a member only to reuse its memory
  // The function that was added last, and the slice that holds all of its
  // addresses. The next inlined subroutine is usually inlined into this
  // function, so that only this slice is searched for its addresses.
  uint32_t latest_function_ = kNone;
  AddressSlice latest_extent_ = {};
};

}  // namespace heapprof
