// SPDX-License-Identifier: Apache-2.0
//
// The innermost function at every address of a unit, as ranges: what
// InnermostFunctions finds for single addresses.
//
// Within a function, the innermost function changes only where a range of the
// function, or of a subroutine inlined into it, starts or ends. So only these
// boundaries are looked up, function by function, and each result holds up to
// the next boundary. For example:
//
//   function f            [100, 180)     boundaries    100 120 130 140 150
//     g inlined into f    [120, 150)     after f       f   f   f   f   f
//       h inlined into g  [130, 140)     after g       f   g   g   g   f
//                                        after h       f   g   h   g   f
//
// The inline ranges are [100, 120) f, [120, 130) g, [130, 140) h, [140, 150) g
// and [150, 180) f: the last one ends with f. If another subprogram k covers
// [160, 200), it gets only [180, 200), because f was first.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/map/code_boundaries.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/shared/innermost_functions.h"
#include "dwarf/shared/interval_set.h"
#include "dwarf/units/unit_scan.h"

namespace heapprof {

// Code with one innermost function.
struct InlineRange {
  AddressRange range;
  uint32_t node = InnermostFunctions::kNone;
};

// Receives the functions of a unit while it is scanned.
class InlineRangeFinder : public FunctionSink {
 public:
  // Ignores code outside of `wanted` (by address), which must outlive this
  // object.
  explicit InlineRangeFinder(std::span<const AddressRange> wanted)
      : wanted_(wanted), innermost_functions_({}) {}
  // Makes room for `count` functions and inlined subroutines.
  void Reserve(size_t count) {
    nodes_.reserve(count);
    code_.reserve(count);
    ranges_.reserve(count);
  }

  uint32_t AddFunction(const FunctionNode& function,
                       std::span<const AddressRange> ranges) override;
  uint32_t AddInlinedSubroutine(const FunctionNode& inlined,
                                std::span<const AddressRange> ranges) override;

  // The wanted code that no function covers so far, by address.
  std::vector<AddressRange> FindUncovered() const;
  // Leaves `range`, which no function covers yet, without a function.
  void Exclude(AddressRange range);
  // True if one of `wanted` starts where `range` starts.
  bool StartsWanted(AddressRange range) const;
  // The inline ranges, by address. Call once, after the scan.
  std::vector<InlineRange> Find();
  // See InnermostFunctions.
  bool exhausted() const { return is_exhausted_; }
  // The nodes of the inline ranges; parents come first.
  std::vector<FunctionNode> TakeNodes() { return std::move(nodes_); }

 private:
  // Where the ranges of a node are in ranges_.
  struct Code {
    uint32_t function = 0;  // the node of its outermost function
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
                      std::vector<InlineRange>& inline_ranges);
  void FindBoundaries(std::span<const uint32_t> nodes);
  std::span<const InnermostFunctions::AddressSlice> SlicesOf(uint32_t node);
  void AddInlineRanges(std::span<const AddressRange> own,
                       std::vector<InlineRange>& inline_ranges) const;

  std::span<const AddressRange> wanted_;
  IntervalSet covered_;
  std::vector<FunctionNode> nodes_;
  std::vector<Code> code_;            // by node
  std::vector<AddressRange> ranges_;  // of functions, only those they got
  // Of the current function; members to reuse their memory.
  InnermostFunctions innermost_functions_;
  CodeBoundaries boundaries_;
  std::vector<InnermostFunctions::AddressSlice> slices_;
  std::vector<uint32_t> numbers_;  // by node, in innermost_functions_
  std::vector<uint32_t> node_of_;  // by number in innermost_functions_
  bool is_exhausted_ = false;
};

}  // namespace heapprof
