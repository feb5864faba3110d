// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/innermost_functions.h"

#include <algorithm>

namespace heapprof {
namespace {

// Deeper nesting is not plausible, because compilers inline only a few dozen
// levels deep.
constexpr uint32_t kMaxInlineDepth = 1000;

// The work is limited to kBaseSteps, plus kStepsPerAddress for each address. In
// valid debug information, an address is in only one range per level of
// inlining, so only a malicious file needs more steps.
constexpr uint64_t kStepsPerAddress = 2 * kMaxInlineDepth;
constexpr uint64_t kBaseSteps = 1'000'000;

}  // namespace

InnermostFunctions::InnermostFunctions(std::span<const uint64_t> addresses)
    : budget_(kBaseSteps) {
  Restart(addresses);
}

void InnermostFunctions::Restart(std::span<const uint64_t> addresses) {
  addresses_ = addresses;
  budget_ += kStepsPerAddress * addresses.size();
  uncovered_ = addresses.size();
  nodes_.clear();
  latest_function_ = kNone;
  innermost_.assign(addresses.size(), kNone);
}

// Returns the parts of the slice `among` whose addresses are in `ranges`.
std::span<const InnermostFunctions::AddressSlice> InnermostFunctions::SlicesOf(
    std::span<const AddressRange> ranges, AddressSlice among) {
  slices_.clear();
  const auto limit =
      addresses_.begin() + static_cast<std::ptrdiff_t>(among.end);
  for (const AddressRange& range : ranges) {
    const auto first = std::ranges::lower_bound(
        addresses_.begin() + static_cast<std::ptrdiff_t>(among.first), limit,
        range.start);
    // Most ranges are skipped here, because they cover none of the addresses.
    if (first == limit || *first >= range.end) continue;
    const auto end = std::ranges::lower_bound(first + 1, limit, range.end);
    slices_.push_back({static_cast<size_t>(first - addresses_.begin()),
                       static_cast<size_t>(end - addresses_.begin())});
  }
  return slices_;
}

// Calls `take` for each address in `slices`, with a reference to the number of
// its innermost function. Stops when the budget is used up.
template <typename Take>
void InnermostFunctions::ForEachCovered(std::span<const AddressSlice> slices,
                                        Take take) {
  for (const AddressSlice& slice : slices) {
    for (size_t i = slice.first; i < slice.end; ++i) {
      if (budget_ == 0) return;
      --budget_;
      take(innermost_[i]);
    }
  }
}

uint32_t InnermostFunctions::AddFunction(std::span<const AddressRange> ranges) {
  const uint32_t function =
      AddFunction(SlicesOf(ranges, {.end = addresses_.size()}));
  if (function == kNone) return kNone;
  latest_function_ = function;
  latest_extent_ = {.first = addresses_.size()};
  for (const AddressSlice& slice : slices_)
    latest_extent_ = {.first = std::min(latest_extent_.first, slice.first),
                      .end = std::max(latest_extent_.end, slice.end)};
  return function;
}

uint32_t InnermostFunctions::AddInlinedSubroutine(
    uint32_t caller, std::span<const AddressRange> ranges) {
  const bool is_in_latest = nodes_[caller].function == latest_function_;
  return AddInlinedSubroutine(
      caller,
      SlicesOf(ranges, is_in_latest ? latest_extent_
                                    : AddressSlice{.end = addresses_.size()}));
}

uint32_t InnermostFunctions::AddFunction(std::span<const AddressSlice> slices) {
  const auto function = static_cast<uint32_t>(nodes_.size());
  bool covers_any = false;
  ForEachCovered(slices, [&](uint32_t& innermost) {
    if (innermost != kNone) return;
    innermost = function;
    covers_any = true;
    --uncovered_;
  });
  if (!covers_any) return kNone;
  nodes_.push_back({.function = function});
  return function;
}

uint32_t InnermostFunctions::AddInlinedSubroutine(
    uint32_t caller, std::span<const AddressSlice> slices) {
  const uint32_t depth = nodes_[caller].depth + 1;
  if (depth > kMaxInlineDepth) return kNone;
  const auto inlined = static_cast<uint32_t>(nodes_.size());
  bool covers_any = false;
  ForEachCovered(slices, [&](uint32_t& innermost) {
    if (innermost != caller) return;
    innermost = inlined;
    covers_any = true;
  });
  if (!covers_any) return kNone;
  nodes_.push_back({.depth = depth, .function = nodes_[caller].function});
  return inlined;
}

std::vector<uint32_t> InnermostFunctions::UncoveredAddresses() const {
  std::vector<uint32_t> uncovered;
  for (uint32_t i = 0; i < innermost_.size(); ++i)
    if (innermost_[i] == kNone) uncovered.push_back(i);
  return uncovered;
}

bool InnermostFunctions::Append(const InnermostFunctions& later) {
  const auto first = static_cast<uint32_t>(nodes_.size());
  for (Node node : later.nodes_) {
    node.function += first;
    nodes_.push_back(node);
  }
  bool are_disjoint = true;
  for (size_t i = 0; i < innermost_.size(); ++i) {
    if (later.innermost_[i] == kNone) continue;
    if (innermost_[i] != kNone) {
      are_disjoint = false;
      continue;
    }
    innermost_[i] = first + later.innermost_[i];
    --uncovered_;
  }
  const uint64_t taken =
      kBaseSteps + kStepsPerAddress * addresses_.size() - later.budget_;
  budget_ -= std::min(budget_, taken);
  return are_disjoint;
}

}  // namespace heapprof
