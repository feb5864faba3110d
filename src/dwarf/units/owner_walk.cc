// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/owner_walk.h"

#include <algorithm>

namespace heapprof {
namespace {

// Drops the nodes that neither own an address nor enclose one that does: a
// function of which one address is asked may have hundreds of calls.
void KeepOwners(FunctionWalk& walk) {
  constexpr uint32_t kDropped = AddressOwners::kNone;
  std::vector<uint32_t> numbers(walk.nodes.size(), kDropped);
  for (uint32_t node : walk.innermost)
    for (; node != AddressOwners::kNone && numbers[node] == kDropped;
         node = walk.nodes[node].parent)
      numbers[node] = 0;
  std::vector<FunctionNode> kept;
  for (uint32_t i = 0; i < walk.nodes.size(); ++i) {
    if (numbers[i] == kDropped) continue;
    numbers[i] = static_cast<uint32_t>(kept.size());
    FunctionNode& node = kept.emplace_back(walk.nodes[i]);
    // Parents come first.
    if (node.parent != AddressOwners::kNone) node.parent = numbers[node.parent];
  }
  for (uint32_t& node : walk.innermost)
    if (node != AddressOwners::kNone) node = numbers[node];
  walk.nodes = std::move(kept);
}

FunctionWalk FinishWalk(OwnerSink& sink, UnitScan scan) {
  FunctionWalk walk;
  walk.scan = std::move(scan);
  if (sink.exhausted()) walk.scan.problem = kTooManyRanges;
  walk.awaited = sink.TakeAwaited();
  walk.nodes = sink.TakeNodes();
  walk.innermost = sink.TakeInnermost();
  KeepOwners(walk);
  return walk;
}

}  // namespace

uint32_t OwnerSink::AddFunction(const FunctionNode& function,
                                std::span<const AddressRange> ranges) {
  const uint32_t number = owners_.AddFunction(ranges);
  if (number != AddressOwners::kNone) nodes_.push_back(function);
  return number;
}

uint32_t OwnerSink::AddInlinedCall(const FunctionNode& call,
                                   std::span<const AddressRange> ranges) {
  const uint32_t number = owners_.AddInlinedCall(call.parent, ranges);
  if (number != call.parent) nodes_.push_back(call);
  return number;
}

// Padding is given away, so that no deferred function gets it.
bool OwnerSink::IsComplete(std::span<const AddressRange> code) {
  if (owners_.is_complete()) return true;
  std::vector<uint32_t> unowned = owners_.Unowned();
  if (find_padding_ == nullptr) {
    awaited_ = std::move(unowned);
    return false;
  }
  std::vector<AddressRange> ranges;
  for (const uint32_t i : unowned) ranges.push_back(owners_.RangeOf(i));
  const std::vector<uint64_t> ends = (*find_padding_)(ranges, code);
  std::vector<AddressRange> padding;
  for (size_t i = 0; i < unowned.size(); ++i) {
    if (ends[i] == ranges[i].end)
      padding.push_back(ranges[i]);
    else
      awaited_.push_back(unowned[i]);
  }
  padding_ = AddFunction({}, padding);
  return awaited_.empty();
}

std::vector<uint32_t> OwnerSink::TakeInnermost() {
  std::vector<uint32_t> innermost = std::move(owners_).TakeInnermost();
  if (padding_ != AddressOwners::kNone)
    std::ranges::replace(innermost, padding_, AddressOwners::kNone);
  return innermost;
}

bool OwnerSink::Append(const OwnerSink& later) {
  const auto first = static_cast<uint32_t>(nodes_.size());
  const bool are_disjoint = owners_.Append(later.owners_);
  for (FunctionNode node : later.nodes_) {
    if (node.parent != AddressOwners::kNone) node.parent += first;
    nodes_.push_back(node);
  }
  return are_disjoint;
}

FunctionWalk WalkFunctions(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           std::span<const uint64_t> addresses,
                           const ElfImage& binary,
                           const PaddingSearch* find_padding) {
  OwnerSink sink(addresses, find_padding);
  UnitScan scan = ScanUnit(reader, abbreviations, binary, &sink);
  return FinishWalk(sink, std::move(scan));
}

WalkPart WalkFunctionsIn(UnitPart place, const UnitReader& reader,
                         const AbbreviationTable& abbreviations,
                         std::span<const uint64_t> addresses,
                         const ElfImage& binary,
                         const PaddingSearch* find_padding) {
  WalkPart part{.sink = OwnerSink(addresses, find_padding)};
  part.scanned = ScanPart(place, reader, abbreviations, binary, part.sink);
  return part;
}

std::optional<FunctionWalk> JoinParts(std::vector<WalkPart> parts,
                                      const UnitReader& reader,
                                      const AbbreviationTable& abbreviations,
                                      const ElfImage& binary) {
  OwnerSink sink = std::move(parts.front().sink);
  bool are_disjoint = true;
  std::vector<ScannedPart> scans;
  for (WalkPart& part : parts) {
    if (&part != &parts.front() && !sink.Append(part.sink))
      are_disjoint = false;
    scans.push_back(std::move(part.scanned));
  }
  std::optional<UnitScan> scan =
      JoinScans(scans, reader, abbreviations, binary, sink,
                /*check_deferred=*/!are_disjoint);
  if (!scan || sink.exhausted()) return std::nullopt;
  return FinishWalk(sink, *std::move(scan));
}

}  // namespace heapprof
