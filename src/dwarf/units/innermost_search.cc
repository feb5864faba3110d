// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/innermost_search.h"

#include <algorithm>

#include "dwarf/shared/problem_log.h"

namespace heapprof {
namespace {

// Drops the nodes that no address needs. An address needs its innermost node
// and all nodes that this one is inlined into. Usually most nodes are dropped,
// because a function may have hundreds of inlined subroutines although only one
// of its addresses is looked up.
void DropUnusedNodes(InnermostNodes& found) {
  constexpr uint32_t kDropped = InnermostFunctions::kNone;
  std::vector<uint32_t> numbers(found.nodes.size(), kDropped);
  for (uint32_t node : found.innermost)
    for (; node != InnermostFunctions::kNone && numbers[node] == kDropped;
         node = found.nodes[node].parent)
      numbers[node] = 0;
  std::vector<FunctionNode> kept;
  for (uint32_t i = 0; i < found.nodes.size(); ++i) {
    if (numbers[i] == kDropped) continue;
    numbers[i] = static_cast<uint32_t>(kept.size());
    FunctionNode& node = kept.emplace_back(found.nodes[i]);
    // The parent already has its new number, because parents come first.
    if (node.parent != InnermostFunctions::kNone)
      node.parent = numbers[node.parent];
  }
  for (uint32_t& node : found.innermost)
    if (node != InnermostFunctions::kNone) node = numbers[node];
  found.nodes = std::move(kept);
}

InnermostNodes MakeResult(InnermostSink& sink, UnitScan scan) {
  InnermostNodes found;
  found.scan = std::move(scan);
  if (sink.exhausted()) found.scan.problem = kTooManyRanges;
  found.sought_in_skipped = sink.TakeSoughtInSkipped();
  found.nodes = sink.TakeNodes();
  found.innermost = sink.TakeInnermost();
  DropUnusedNodes(found);
  return found;
}

}  // namespace

uint32_t InnermostSink::AddFunction(const FunctionNode& function,
                                    std::span<const AddressRange> ranges) {
  const uint32_t number = innermost_functions_.AddFunction(ranges);
  if (number != InnermostFunctions::kNone) nodes_.push_back(function);
  return number;
}

uint32_t InnermostSink::AddInlinedSubroutine(
    const FunctionNode& inlined, std::span<const AddressRange> ranges) {
  const uint32_t number =
      innermost_functions_.AddInlinedSubroutine(inlined.parent, ranges);
  if (number != InnermostFunctions::kNone) nodes_.push_back(inlined);
  return number;
}

// Adds one node for the addresses in padding, so that no function in skipped
// DIEs can get these addresses. TakeInnermost() removes this node.
bool InnermostSink::IsComplete(std::span<const AddressRange> code) {
  if (innermost_functions_.is_complete()) return true;
  std::vector<uint32_t> uncovered = innermost_functions_.UncoveredAddresses();
  if (find_padding_ == nullptr) {
    sought_in_skipped_ = std::move(uncovered);
    return false;
  }
  std::vector<AddressRange> ranges;
  for (const uint32_t i : uncovered)
    ranges.push_back(innermost_functions_.RangeOf(i));
  const std::vector<uint64_t> ends = (*find_padding_)(ranges, code);
  std::vector<AddressRange> padding;
  for (size_t i = 0; i < uncovered.size(); ++i) {
    if (ends[i] == ranges[i].end)
      padding.push_back(ranges[i]);
    else
      sought_in_skipped_.push_back(uncovered[i]);
  }
  padding_ = AddFunction({}, padding);
  return sought_in_skipped_.empty();
}

std::vector<uint32_t> InnermostSink::TakeInnermost() {
  std::vector<uint32_t> innermost =
      std::move(innermost_functions_).TakeInnermost();
  if (padding_ != InnermostFunctions::kNone)
    std::ranges::replace(innermost, padding_, InnermostFunctions::kNone);
  return innermost;
}

bool InnermostSink::Append(const InnermostSink& later) {
  const auto first = static_cast<uint32_t>(nodes_.size());
  const bool are_disjoint =
      innermost_functions_.Append(later.innermost_functions_);
  for (FunctionNode node : later.nodes_) {
    if (node.parent != InnermostFunctions::kNone) node.parent += first;
    nodes_.push_back(node);
  }
  return are_disjoint;
}

InnermostNodes FindInnermost(const UnitReader& reader,
                             const AbbreviationTable& abbreviations,
                             std::span<const uint64_t> addresses,
                             const ElfImage& binary,
                             const PaddingSearch* find_padding) {
  InnermostSink sink(addresses, find_padding);
  UnitScan scan = ScanUnit(reader, abbreviations, binary, &sink);
  return MakeResult(sink, std::move(scan));
}

InnermostChunk FindInnermostInChunk(UnitChunk chunk, const UnitReader& reader,
                                    const AbbreviationTable& abbreviations,
                                    std::span<const uint64_t> addresses,
                                    const ElfImage& binary,
                                    const PaddingSearch* find_padding) {
  InnermostChunk searched{.sink = InnermostSink(addresses, find_padding)};
  searched.scanned =
      ScanChunk(chunk, reader, abbreviations, binary, searched.sink);
  return searched;
}

std::optional<InnermostNodes> JoinInnermostChunks(
    std::vector<InnermostChunk> chunks, const UnitReader& reader,
    const AbbreviationTable& abbreviations, const ElfImage& binary) {
  InnermostSink sink = std::move(chunks.front().sink);
  bool are_disjoint = true;
  std::vector<ScannedChunk> scans;
  for (InnermostChunk& chunk : chunks) {
    if (&chunk != &chunks.front() && !sink.Append(chunk.sink))
      are_disjoint = false;
    scans.push_back(std::move(chunk.scanned));
  }
  std::optional<UnitScan> scan =
      JoinChunks(scans, reader, abbreviations, binary, sink,
                 /*check_skipped=*/!are_disjoint);
  if (!scan || sink.exhausted()) return std::nullopt;
  return MakeResult(sink, *std::move(scan));
}

}  // namespace heapprof
