// SPDX-License-Identifier: Apache-2.0
//
// Finds the innermost function at every address of a unit, as ranges.
// (InnermostFunctions finds it for single addresses.)
//
// Within a function, the innermost function changes only where a range of the
// function, or of a subroutine inlined into it, starts or ends. So only these
// boundaries are looked up, function by function, and the innermost function at
// a boundary is valid up to the next boundary. For example:
//
//   function f            [100, 180)     boundaries    100 120 130 140 150
//     g inlined into f    [120, 150)     after f       f   f   f   f   f
//       h inlined into g  [130, 140)     after g       f   g   g   g   f
//                                        after h       f   g   h   g   f
//
// The inline ranges are [100, 120) f, [120, 130) g, [130, 140) h, [140, 150) g
// and [150, 180) f, which ends where f ends. If another subprogram k covers
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

// A range of code in which the innermost function does not change.
struct InlineRange {
  AddressRange range;
  uint32_t node = InnermostFunctions::kNone;
};

// Receives the functions of a unit while the unit is scanned, and makes inline
// ranges from them.
class InlineRangeFinder : public FunctionSink {
 public:
  // Ignores code outside of the ranges `wanted`, which must be sorted by
  // address and must outlive this object.
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

  // Returns the wanted code that no function covers so far, sorted by address.
  std::vector<AddressRange> FindUncovered() const;
  // Marks `range` as belonging to no function. No function may cover it yet.
  void Exclude(AddressRange range);
  // True if one of the wanted ranges starts where `range` starts.
  bool StartsWanted(AddressRange range) const;
  // Returns the inline ranges, sorted by address. Call once, after the scan.
  std::vector<InlineRange> Find();
  // See InnermostFunctions::exhausted().
  bool exhausted() const { return is_exhausted_; }
  // Returns the nodes of the inline ranges. Parents come before the nodes that
  // are inlined into them.
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
  std::vector<Code> code_;  // by node
  // The ranges of all nodes. Those of a function contain only code that no
  // earlier function covers.
  std::vector<AddressRange> ranges_;
  // Working data for the function that is being searched. These are members
  // only so that their memory is reused.
  InnermostFunctions innermost_functions_;
  CodeBoundaries boundaries_;
  std::vector<InnermostFunctions::AddressSlice> slices_;
  // numbers_ maps nodes to their numbers in innermost_functions_; node_of_ maps
  // these numbers back to nodes.
  std::vector<uint32_t> numbers_;
  std::vector<uint32_t> node_of_;
  bool is_exhausted_ = false;
};

}  // namespace heapprof
