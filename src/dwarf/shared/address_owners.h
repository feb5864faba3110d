// SPDX-License-Identifier: Apache-2.0
//
// Which function, and which call inlined into it, owns each of a unit's
// addresses: the rules that both engines share.
//
// A subprogram is a root of its own, also inside another subprogram (a lambda,
// a method of a local class). The first subprogram that is added and
// covers an address owns it, and the first inlined call among siblings.
// Lexical blocks count for nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/shared/address_range.h"

namespace heapprof {

// Numbers the functions and inlined calls from 0 in the order they are added.
class AddressOwners {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // `addresses` are sorted and outlive this object.
  explicit AddressOwners(std::span<const uint64_t> addresses);
  // Forgets the functions and goes on with other addresses.
  void Restart(std::span<const uint64_t> addresses);

  // Gives the addresses in `ranges` that have no owner to a new function, and
  // returns its number; kNone, and no function is added, if there are none.
  uint32_t AddFunction(std::span<const AddressRange> ranges);

  // Gives the addresses in `ranges` that belong to `caller` or what encloses
  // it to a new call inlined into `caller`, and returns its number; `caller`,
  // and nothing is added, if calls are nested too deep to be sound.
  uint32_t AddInlinedCall(uint32_t caller,
                          std::span<const AddressRange> ranges);

  // The same of ranges that cover the addresses from the index `first` on, in
  // front of `end`.
  struct Run {
    size_t first = 0;
    size_t end = 0;
  };
  uint32_t AddFunction(std::span<const Run> runs);
  uint32_t AddInlinedCall(uint32_t caller, std::span<const Run> runs);

  // Goes on with the functions and calls that `later` was given instead. Both
  // were made for the same addresses, and not restarted. False if an address
  // has an owner in both, so that `later` has calls it would not have been
  // given.
  bool Append(const AddressOwners& later);

  // Every address has an owner.
  bool is_complete() const { return unowned_ == 0; }

  // The addresses without an owner, by index.
  std::vector<uint32_t> Unowned() const;
  AddressRange RangeOf(uint32_t address) const {
    return {addresses_[address], addresses_[address] + 1};
  }

  // The file claims addresses so often that the rest was not looked at.
  bool exhausted() const { return budget_ == 0; }

  // Per address, the innermost call or function there, or kNone.
  std::span<const uint32_t> innermost() const { return innermost_; }
  std::vector<uint32_t> TakeInnermost() && { return std::move(innermost_); }

 private:
  struct Node {
    uint32_t caller = kNone;
    uint32_t depth = 0;  // inlined calls above this one
    uint32_t function = 0;
  };

  std::span<const Run> RunsOf(std::span<const AddressRange> ranges, Run among);
  template <typename Take>
  void ForEachCovered(std::span<const Run> runs, Take take);
  bool Encloses(uint32_t outer, uint32_t inner);

  std::span<const uint64_t> addresses_;
  uint64_t budget_;
  size_t unowned_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> innermost_;
  std::vector<Run> runs_;  // kept for its memory
  // The addresses of one function lie in here: as a rule those of the next
  // call, too.
  uint32_t latest_function_ = kNone;
  Run latest_extent_ = {};
};

}  // namespace heapprof
