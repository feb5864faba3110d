// SPDX-License-Identifier: Apache-2.0
//
// Which function, and which call inlined into it, owns each piece of a unit's
// code: what AddressOwners says of all addresses at once.
//
// Within a function the owner only changes where a range of it or of a call
// starts or ends. So these boundaries are resolved, function by function, as
// if they had been asked for, and each answer holds up to the next boundary.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/map/code_boundaries.h"
#include "dwarf/shared/address_owners.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/shared/interval_set.h"
#include "dwarf/units/function_walk.h"

namespace heapprof {

struct CodePiece {
  AddressRange range;
  uint32_t node = AddressOwners::kNone;
};

class CodePieceFinder : public CodeSink {
 public:
  // Code outside of `wanted` (by address, which must outlive this object) is
  // not looked at.
  explicit CodePieceFinder(std::span<const AddressRange> wanted)
      : wanted_(wanted), owners_({}) {}
  // Makes room for `count` functions and calls.
  void Reserve(size_t count) {
    nodes_.reserve(count);
    code_.reserve(count);
    ranges_.reserve(count);
  }

  uint32_t AddFunction(const FunctionNode& function,
                       std::span<const AddressRange> ranges) override;
  uint32_t AddInlinedCall(const FunctionNode& call,
                          std::span<const AddressRange> ranges) override;

  // What is wanted and has no owner so far, by address.
  std::vector<AddressRange> FindUnowned() const;
  // Leaves `range`, which has no owner, without one.
  void Withhold(AddressRange range);
  // True if `range`, which is wanted, starts where what is wanted does.
  bool StartsWanted(AddressRange range) const;
  // The pieces that have an owner, by address. Call once, behind the walk.
  std::vector<CodePiece> Find();
  // See AddressOwners.
  bool exhausted() const { return is_exhausted_; }
  // What the pieces name; callers come first.
  std::vector<FunctionNode> TakeNodes() { return std::move(nodes_); }

 private:
  // A run in ranges_.
  struct Code {
    uint32_t function = 0;  // the node that the call is in, or of itself
    uint32_t first_range = 0;
    uint32_t range_count = 0;
  };

  void Take(AddressRange range);
  std::span<const AddressRange> RangesOf(uint32_t node) const {
    return std::span(ranges_).subspan(code_[node].first_range,
                                      code_[node].range_count);
  }
  std::vector<uint32_t> NodesByFunction() const;
  void FindInFunction(std::span<const uint32_t> nodes,
                      std::vector<CodePiece>& pieces);
  void FindBoundaries(std::span<const uint32_t> nodes);
  std::span<const AddressOwners::Run> RunsOf(uint32_t node);
  void AddPieces(std::span<const AddressRange> own,
                 std::vector<CodePiece>& pieces) const;

  std::span<const AddressRange> wanted_;
  IntervalSet owned_;
  std::vector<FunctionNode> nodes_;
  std::vector<Code> code_;            // by node
  std::vector<AddressRange> ranges_;  // of functions, those they own
  // Of the function at hand, kept for their memory.
  AddressOwners owners_;
  CodeBoundaries boundaries_;
  std::vector<AddressOwners::Run> runs_;
  std::vector<uint32_t> numbers_;  // by node, in owners_
  std::vector<uint32_t> node_of_;  // by number in owners_
  bool is_exhausted_ = false;
};

}  // namespace heapprof
