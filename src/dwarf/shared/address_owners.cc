// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/address_owners.h"

#include <algorithm>

namespace heapprof {
namespace {

// Compilers inline some dozens deep.
constexpr uint32_t kMaxInlineDepth = 1000;

// In sound debug information an address is claimed once per level of
// inlining; this many steps per address, and a few for small questions, are
// only reached by a file made to waste our time.
constexpr uint64_t kStepsPerAddress = 2 * kMaxInlineDepth;
constexpr uint64_t kSpareSteps = 1'000'000;

}  // namespace

AddressOwners::AddressOwners(std::span<const uint64_t> addresses)
    : budget_(kSpareSteps) {
  Restart(addresses);
}

void AddressOwners::Restart(std::span<const uint64_t> addresses) {
  addresses_ = addresses;
  budget_ += kStepsPerAddress * addresses.size();
  unowned_ = addresses.size();
  nodes_.clear();
  latest_function_ = kNone;
  innermost_.assign(addresses.size(), kNone);
}

// Which of the addresses `among` are in `ranges`.
std::span<const AddressOwners::Run> AddressOwners::RunsOf(
    std::span<const AddressRange> ranges, Run among) {
  runs_.clear();
  const auto limit =
      addresses_.begin() + static_cast<std::ptrdiff_t>(among.end);
  for (const AddressRange& range : ranges) {
    const auto first = std::ranges::lower_bound(
        addresses_.begin() + static_cast<std::ptrdiff_t>(among.first), limit,
        range.start);
    // Most ranges cover none.
    if (first == limit || *first >= range.end) continue;
    const auto end = std::ranges::lower_bound(first + 1, limit, range.end);
    runs_.push_back({static_cast<size_t>(first - addresses_.begin()),
                     static_cast<size_t>(end - addresses_.begin())});
  }
  return runs_;
}

// Calls `take` with the owner of every address in `runs`, to be changed.
template <typename Take>
void AddressOwners::ForEachCovered(std::span<const Run> runs, Take take) {
  for (const Run& run : runs) {
    for (size_t i = run.first; i < run.end; ++i) {
      if (budget_ == 0) return;
      --budget_;
      take(innermost_[i]);
    }
  }
}

uint32_t AddressOwners::AddFunction(std::span<const AddressRange> ranges) {
  const uint32_t function =
      AddFunction(RunsOf(ranges, {.end = addresses_.size()}));
  if (function == kNone) return kNone;
  latest_function_ = function;
  latest_extent_ = {.first = addresses_.size()};
  for (const Run& run : runs_)
    latest_extent_ = {.first = std::min(latest_extent_.first, run.first),
                      .end = std::max(latest_extent_.end, run.end)};
  return function;
}

uint32_t AddressOwners::AddInlinedCall(uint32_t caller,
                                       std::span<const AddressRange> ranges) {
  const bool is_in_latest = nodes_[caller].function == latest_function_;
  return AddInlinedCall(
      caller, RunsOf(ranges, is_in_latest ? latest_extent_
                                          : Run{.end = addresses_.size()}));
}

uint32_t AddressOwners::AddFunction(std::span<const Run> runs) {
  const auto function = static_cast<uint32_t>(nodes_.size());
  bool owns_any = false;
  ForEachCovered(runs, [&](uint32_t& owner) {
    if (owner != kNone) return;
    owner = function;
    owns_any = true;
    --unowned_;
  });
  if (!owns_any) return kNone;
  nodes_.push_back({.function = function});
  return function;
}

uint32_t AddressOwners::AddInlinedCall(uint32_t caller,
                                       std::span<const Run> runs) {
  const uint32_t depth = nodes_[caller].depth + 1;
  if (depth > kMaxInlineDepth) return caller;
  const auto call = static_cast<uint32_t>(nodes_.size());
  // Before it owns anything: ranges that overlap meet it again.
  nodes_.push_back(
      {.caller = caller, .depth = depth, .function = nodes_[caller].function});
  ForEachCovered(runs, [&](uint32_t& owner) {
    // Compilers do leave bytes out of a call that they count to a call
    // inside it, so the owner need not be the caller itself.
    if (Encloses(owner, caller)) owner = call;
  });
  return call;
}

// Whether `outer` is `inner` or something that `inner` is inlined into.
bool AddressOwners::Encloses(uint32_t outer, uint32_t inner) {
  if (outer == kNone || nodes_[outer].function != nodes_[inner].function)
    return false;
  for (; nodes_[inner].depth > nodes_[outer].depth;
       inner = nodes_[inner].caller) {
    if (budget_ == 0) return false;
    --budget_;
  }
  return inner == outer;
}

std::vector<uint32_t> AddressOwners::Unowned() const {
  std::vector<uint32_t> unowned;
  for (uint32_t i = 0; i < innermost_.size(); ++i)
    if (innermost_[i] == kNone) unowned.push_back(i);
  return unowned;
}

bool AddressOwners::Append(const AddressOwners& later) {
  const auto first = static_cast<uint32_t>(nodes_.size());
  for (Node node : later.nodes_) {
    if (node.caller != kNone) node.caller += first;
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
    --unowned_;
  }
  const uint64_t taken =
      kSpareSteps + kStepsPerAddress * addresses_.size() - later.budget_;
  budget_ -= std::min(budget_, taken);
  return are_disjoint;
}

}  // namespace heapprof
