// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/inline_ranges.h"

#include <algorithm>
#include <numeric>

namespace heapprof {
namespace {

// Sorts ranges that do not overlap. They come in sorted runs without gaps,
// usually one run per function, so it suffices to sort the runs.
void SortInlineRanges(std::vector<InlineRange>& inline_ranges) {
  const auto start_of = [](const InlineRange& range) {
    return range.range.start;
  };
  if (std::ranges::is_sorted(inline_ranges, {}, start_of)) return;
  std::vector<std::span<const InlineRange>> runs;
  for (auto first = inline_ranges.begin(); first != inline_ranges.end();) {
    auto end = first + 1;
    while (end != inline_ranges.end() &&
           (end - 1)->range.end == end->range.start)
      ++end;
    runs.emplace_back(first, end);
    first = end;
  }
  std::ranges::sort(runs, {}, [&](std::span<const InlineRange> run) {
    return start_of(run.front());
  });
  std::vector<InlineRange> sorted;
  sorted.reserve(inline_ranges.size());
  for (const std::span<const InlineRange> run : runs)
    sorted.insert(sorted.end(), run.begin(), run.end());
  inline_ranges = std::move(sorted);
}

}  // namespace

uint32_t InlineRangeFinder::AddFunction(const FunctionNode& function,
                                        std::span<const AddressRange> ranges) {
  const auto first = static_cast<uint32_t>(ranges_.size());
  for (const AddressRange& range : ranges) Take(range);
  const auto count = static_cast<uint32_t>(ranges_.size()) - first;
  if (count == 0) return InnermostFunctions::kNone;
  const auto number = static_cast<uint32_t>(nodes_.size());
  std::ranges::sort(std::span(ranges_).subspan(first), {},
                    &AddressRange::start);
  nodes_.push_back(function);
  code_.push_back({number, first, count});
  return number;
}

uint32_t InlineRangeFinder::AddInlinedSubroutine(
    const FunctionNode& inlined, std::span<const AddressRange> ranges) {
  const auto number = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(inlined);
  code_.push_back({code_[inlined.parent].function,
                   static_cast<uint32_t>(ranges_.size()),
                   static_cast<uint32_t>(ranges.size())});
  ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
  return number;
}

// Appends to ranges_ the parts of `range` that are wanted and that no function
// covers yet. From now on, these parts count as covered.
void InlineRangeFinder::Take(AddressRange range) {
  auto at = std::ranges::upper_bound(
      wanted_, range.start, {}, [](const AddressRange& w) { return w.end; });
  for (; at != wanted_.end() && at->start < range.end; ++at)
    covered_.Add(
        {std::max(at->start, range.start), std::min(at->end, range.end)},
        ranges_);
}

std::vector<AddressRange> InlineRangeFinder::FindUncovered() const {
  std::vector<AddressRange> uncovered;
  for (const AddressRange& range : wanted_)
    covered_.FindMissing(range, uncovered);
  return uncovered;
}

void InlineRangeFinder::Exclude(AddressRange range) {
  std::vector<AddressRange> excluded;
  covered_.Add(range, excluded);
}

bool InlineRangeFinder::StartsWanted(AddressRange range) const {
  return std::ranges::binary_search(wanted_, range.start, {},
                                    &AddressRange::start);
}

// Returns the indices of all nodes: the functions in the order of their DIEs,
// each followed by the subroutines inlined into it. Sorting may be needed for
// that, because in .debug_info the DIE of a nested function may come before
// some subroutines inlined into the function around it.
std::vector<uint32_t> InlineRangeFinder::NodesByFunction() const {
  std::vector<uint32_t> nodes(nodes_.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto function_of = [this](uint32_t i) { return code_[i].function; };
  if (!std::ranges::is_sorted(nodes, {}, function_of))
    std::ranges::stable_sort(nodes, {}, function_of);
  return nodes;
}

std::vector<InlineRange> InlineRangeFinder::Find() {
  std::vector<InlineRange> inline_ranges;
  numbers_.resize(nodes_.size());
  const std::vector<uint32_t> nodes = NodesByFunction();
  for (size_t first = 0; first < nodes.size();) {
    size_t end = first + 1;
    while (end < nodes.size() && code_[nodes[end]].function == nodes[first])
      ++end;
    FindInFunction(std::span(nodes).subspan(first, end - first), inline_ranges);
    first = end;
  }
  SortInlineRanges(inline_ranges);
  return inline_ranges;
}

// Finds the boundaries in a function. `nodes` are the function and the
// subroutines inlined into it.
void InlineRangeFinder::FindBoundaries(std::span<const uint32_t> nodes) {
  boundaries_.Restart(RangesOf(nodes[0]));
  for (const uint32_t inlined : nodes.subspan(1)) {
    for (const AddressRange& range : RangesOf(inlined)) {
      boundaries_.Add(range.start);
      boundaries_.Add(range.end);
    }
  }
  boundaries_.Number();
}

// Returns the boundaries that `node` covers, as ranges of their numbers.
std::span<const InnermostFunctions::AddressSlice> InlineRangeFinder::SlicesOf(
    uint32_t node) {
  slices_.clear();
  for (const AddressRange& range : RangesOf(node))
    slices_.push_back({boundaries_.CountBefore(range.start),
                       boundaries_.CountBefore(range.end)});
  return slices_;
}

// Appends the inline ranges of a function. `nodes` are the function and the
// subroutines inlined into it.
void InlineRangeFinder::FindInFunction(
    std::span<const uint32_t> nodes, std::vector<InlineRange>& inline_ranges) {
  const std::span<const AddressRange> own = RangesOf(nodes[0]);
  if (nodes.size() == 1) {
    for (const AddressRange& range : own)
      inline_ranges.push_back({range, nodes[0]});
    return;
  }
  FindBoundaries(nodes);
  innermost_functions_.Restart(boundaries_.addresses());
  numbers_[nodes[0]] = innermost_functions_.AddFunction(SlicesOf(nodes[0]));
  node_of_ = {nodes[0]};
  for (const uint32_t inlined : nodes.subspan(1)) {
    const uint32_t caller = numbers_[nodes_[inlined].parent];
    numbers_[inlined] = caller == InnermostFunctions::kNone
                            ? caller
                            : innermost_functions_.AddInlinedSubroutine(
                                  caller, SlicesOf(inlined));
    if (numbers_[inlined] != InnermostFunctions::kNone)
      node_of_.push_back(inlined);
  }
  is_exhausted_ = is_exhausted_ || innermost_functions_.exhausted();
  AddInlineRanges(own, inline_ranges);
}

// Appends an inline range from each boundary to the next one. Adjacent ranges
// with the same innermost function are joined. `own` is the function's code.
void InlineRangeFinder::AddInlineRanges(
    std::span<const AddressRange> own,
    std::vector<InlineRange>& inline_ranges) const {
  const std::span<const uint64_t> boundaries = boundaries_.addresses();
  auto range = own.begin();
  for (size_t i = 0; i < boundaries.size(); ++i) {
    const uint64_t start = boundaries[i];
    while (range->end <= start && range + 1 != own.end()) ++range;
    const uint32_t innermost = innermost_functions_.innermost()[i];
    if (innermost == InnermostFunctions::kNone) continue;
    uint64_t end = range->end;
    if (i + 1 < boundaries.size()) end = std::min(end, boundaries[i + 1]);
    const uint32_t node = node_of_[innermost];
    if (!inline_ranges.empty() && inline_ranges.back().node == node &&
        inline_ranges.back().range.end == start)
      inline_ranges.back().range.end = end;
    else
      inline_ranges.push_back({{start, end}, node});
  }
}

}  // namespace heapprof
