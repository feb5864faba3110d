// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_pieces.h"

#include <algorithm>
#include <numeric>

namespace heapprof {
namespace {

// Sorts pieces, which do not overlap and come in runs without gaps: as a rule a
// run for each function.
void SortPieces(std::vector<CodePiece>& pieces) {
  const auto start_of = [](const CodePiece& piece) {
    return piece.range.start;
  };
  if (std::ranges::is_sorted(pieces, {}, start_of)) return;
  std::vector<std::span<const CodePiece>> runs;
  for (auto first = pieces.begin(); first != pieces.end();) {
    auto end = first + 1;
    while (end != pieces.end() && (end - 1)->range.end == end->range.start)
      ++end;
    runs.emplace_back(first, end);
    first = end;
  }
  std::ranges::sort(runs, {}, [&](std::span<const CodePiece> run) {
    return start_of(run.front());
  });
  std::vector<CodePiece> sorted;
  sorted.reserve(pieces.size());
  for (const std::span<const CodePiece> run : runs)
    sorted.insert(sorted.end(), run.begin(), run.end());
  pieces = std::move(sorted);
}

}  // namespace

uint32_t CodePieceFinder::AddFunction(const FunctionNode& function,
                                      std::span<const AddressRange> ranges) {
  const auto first = static_cast<uint32_t>(ranges_.size());
  for (const AddressRange& range : ranges) Take(range);
  const auto count = static_cast<uint32_t>(ranges_.size()) - first;
  if (count == 0) return AddressOwners::kNone;
  const auto number = static_cast<uint32_t>(nodes_.size());
  std::ranges::sort(std::span(ranges_).subspan(first), {},
                    &AddressRange::start);
  nodes_.push_back(function);
  code_.push_back({number, first, count});
  return number;
}

uint32_t CodePieceFinder::AddInlinedCall(const FunctionNode& call,
                                         std::span<const AddressRange> ranges) {
  const auto number = static_cast<uint32_t>(nodes_.size());
  nodes_.push_back(call);
  code_.push_back({code_[call.parent].function,
                   static_cast<uint32_t>(ranges_.size()),
                   static_cast<uint32_t>(ranges.size())});
  ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
  return number;
}

// Appends what is wanted of `range`, and has no owner yet, to ranges_.
void CodePieceFinder::Take(AddressRange range) {
  auto at = std::ranges::upper_bound(
      wanted_, range.start, {}, [](const AddressRange& w) { return w.end; });
  for (; at != wanted_.end() && at->start < range.end; ++at)
    owned_.Add({std::max(at->start, range.start), std::min(at->end, range.end)},
               ranges_);
}

std::vector<AddressRange> CodePieceFinder::FindUnowned() const {
  std::vector<AddressRange> unowned;
  for (const AddressRange& range : wanted_) owned_.FindMissing(range, unowned);
  return unowned;
}

void CodePieceFinder::Withhold(AddressRange range) {
  std::vector<AddressRange> withheld;
  owned_.Add(range, withheld);
}

bool CodePieceFinder::StartsWanted(AddressRange range) const {
  return std::ranges::binary_search(wanted_, range.start, {},
                                    &AddressRange::start);
}

// Functions in the order of their entries, each followed by the calls in it.
// Those of an enclosing function go on behind a nested one.
std::vector<uint32_t> CodePieceFinder::NodesByFunction() const {
  std::vector<uint32_t> nodes(nodes_.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto function_of = [this](uint32_t i) { return code_[i].function; };
  if (!std::ranges::is_sorted(nodes, {}, function_of))
    std::ranges::stable_sort(nodes, {}, function_of);
  return nodes;
}

std::vector<CodePiece> CodePieceFinder::Find() {
  std::vector<CodePiece> pieces;
  numbers_.resize(nodes_.size());
  const std::vector<uint32_t> nodes = NodesByFunction();
  for (size_t first = 0; first < nodes.size();) {
    size_t end = first + 1;
    while (end < nodes.size() && code_[nodes[end]].function == nodes[first])
      ++end;
    FindInFunction(std::span(nodes).subspan(first, end - first), pieces);
    first = end;
  }
  SortPieces(pieces);
  return pieces;
}

// Where owners may change inside of what the function owns.
void CodePieceFinder::FindBoundaries(std::span<const uint32_t> nodes) {
  boundaries_.Restart(RangesOf(nodes[0]));
  for (const uint32_t call : nodes.subspan(1)) {
    for (const AddressRange& range : RangesOf(call)) {
      boundaries_.Add(range.start);
      boundaries_.Add(range.end);
    }
  }
  boundaries_.Number();
}

// The boundaries that `node` covers.
std::span<const AddressOwners::Run> CodePieceFinder::RunsOf(uint32_t node) {
  runs_.clear();
  for (const AddressRange& range : RangesOf(node))
    runs_.push_back({boundaries_.CountBefore(range.start),
                     boundaries_.CountBefore(range.end)});
  return runs_;
}

// `nodes` are a function and the calls in it.
void CodePieceFinder::FindInFunction(std::span<const uint32_t> nodes,
                                     std::vector<CodePiece>& pieces) {
  const std::span<const AddressRange> own = RangesOf(nodes[0]);
  if (nodes.size() == 1) {
    for (const AddressRange& range : own) pieces.push_back({range, nodes[0]});
    return;
  }
  FindBoundaries(nodes);
  owners_.Restart(boundaries_.addresses());
  numbers_[nodes[0]] = owners_.AddFunction(RunsOf(nodes[0]));
  node_of_ = {nodes[0]};
  for (const uint32_t call : nodes.subspan(1)) {
    numbers_[call] =
        owners_.AddInlinedCall(numbers_[nodes_[call].parent], RunsOf(call));
    if (numbers_[call] == node_of_.size()) node_of_.push_back(call);
  }
  is_exhausted_ = is_exhausted_ || owners_.exhausted();
  AddPieces(own, pieces);
}

// Appends what lies between the boundaries.
void CodePieceFinder::AddPieces(std::span<const AddressRange> own,
                                std::vector<CodePiece>& pieces) const {
  const std::span<const uint64_t> boundaries = boundaries_.addresses();
  auto range = own.begin();
  for (size_t i = 0; i < boundaries.size(); ++i) {
    const uint64_t start = boundaries[i];
    while (range->end <= start && range + 1 != own.end()) ++range;
    const uint32_t owner = owners_.innermost()[i];
    if (owner == AddressOwners::kNone) continue;
    uint64_t end = range->end;
    if (i + 1 < boundaries.size()) end = std::min(end, boundaries[i + 1]);
    const uint32_t node = node_of_[owner];
    if (!pieces.empty() && pieces.back().node == node &&
        pieces.back().range.end == start)
      pieces.back().range.end = end;
    else
      pieces.push_back({{start, end}, node});
  }
}

}  // namespace heapprof
