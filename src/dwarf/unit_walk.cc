// SPDX-License-Identifier: Apache-2.0
#include "dwarf/unit_walk.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <dwarf.h>
#include <fmt/format.h>

namespace heapprof {
namespace {

// In sound debug information an address is claimed once per level of
// inlining; this many claims per address, and a few for small questions, are
// only reached by a file made to waste our time.
constexpr uint64_t kClaimsPerAddress = 2 * DieWalker::kMaxDepth;
constexpr uint64_t kSpareClaims = 1'000'000;

class Walk {
 public:
  Walk(std::span<const uint64_t> addresses, RangeReader& ranges)
      : addresses_(addresses),
        ranges_(ranges),
        claim_budget_(kSpareClaims + kClaimsPerAddress * addresses.size()) {
    result_.innermost.assign(addresses.size(), CodeNode::kNone);
  }

  void Visit(DieWalker& walker);
  UnitWalk TakeResult() { return std::move(result_); }
  bool exhausted() const { return claim_budget_ == 0; }

 private:
  uint32_t EnterFunction(Dwarf_Die* die);
  uint32_t EnterInlinedCall(Dwarf_Die* die, uint32_t parent);
  uint64_t FindEntry(Dwarf_Die* die) const;
  bool IsAtOrAbove(uint32_t node, uint32_t below) const;
  template <typename Take>
  void ForEachCovered(Take take);

  std::span<const uint64_t> addresses_;
  RangeReader& ranges_;
  uint64_t claim_budget_;
  UnitWalk result_;
  std::vector<AddressRange> scratch_;  // ranges of the DIE at hand
  // The node that encloses the children of the DIE at each depth.
  std::array<uint32_t, DieWalker::kMaxDepth + 1> enclosing_ = {};
};

void Walk::Visit(DieWalker& walker) {
  result_.scopes.Add(walker);
  const size_t depth = walker.depth();
  uint32_t node = depth == 0 ? CodeNode::kNone : enclosing_[depth - 1];
  if (walker.tag() == DW_TAG_subprogram)
    node = EnterFunction(walker.die());
  else if (walker.tag() == DW_TAG_inlined_subroutine && node != CodeNode::kNone)
    node = EnterInlinedCall(walker.die(), node);
  enclosing_[depth] = node;
}

// Calls `take` with the index of every address that scratch_ covers.
template <typename Take>
void Walk::ForEachCovered(Take take) {
  for (const AddressRange& range : scratch_) {
    auto first = std::ranges::lower_bound(addresses_, range.start);
    for (; first != addresses_.end() && *first < range.end; ++first) {
      if (claim_budget_ == 0) return;
      --claim_budget_;
      take(static_cast<size_t>(first - addresses_.begin()));
    }
  }
}

// Where the function with the ranges in scratch_ starts. The first range
// holds the entry of a split function; the others, like its cold part, may
// lie before it.
uint64_t Walk::FindEntry(Dwarf_Die* die) const {
  Dwarf_Addr entry = 0;
  if (dwarf_entrypc(die, &entry) == 0 && ranges_.IsCode(entry)) return entry;
  return scratch_.front().start;
}

uint32_t Walk::EnterFunction(Dwarf_Die* die) {
  ranges_.Read(die, scratch_);
  if (scratch_.empty()) return CodeNode::kNone;
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  if (dwarf_attr(die, DW_AT_abstract_origin, &attribute) != nullptr &&
      dwarf_formref_die(&attribute, &origin) != nullptr)
    result_.entries.try_emplace(origin.addr, FindEntry(die));

  const auto index = static_cast<uint32_t>(result_.nodes.size());
  bool owns_any = false;
  ForEachCovered([&](size_t i) {
    if (result_.innermost[i] != CodeNode::kNone) return;
    result_.innermost[i] = index;
    owns_any = true;
  });
  if (!owns_any) return CodeNode::kNone;
  result_.nodes.push_back({.die = *die, .entry_address = FindEntry(die)});
  return index;
}

uint32_t Walk::EnterInlinedCall(Dwarf_Die* die, uint32_t parent) {
  ranges_.Read(die, scratch_);
  const auto index = static_cast<uint32_t>(result_.nodes.size());
  result_.nodes.push_back({.die = *die,
                           .parent = parent,
                           .depth = result_.nodes[parent].depth + 1});
  ForEachCovered([&](size_t i) {
    // Compilers do leave bytes out of a call that they count to a call
    // inside it, so the node above need not be the direct parent.
    if (IsAtOrAbove(result_.innermost[i], parent)) result_.innermost[i] = index;
  });
  return index;
}

bool Walk::IsAtOrAbove(uint32_t node, uint32_t below) const {
  if (node == CodeNode::kNone) return false;
  while (result_.nodes[below].depth > result_.nodes[node].depth)
    below = result_.nodes[below].parent;
  return node == below;
}

}  // namespace

UnitWalk WalkUnit(const Unit& unit, std::span<const uint64_t> addresses,
                  RangeReader& ranges, ProblemLog& problems) {
  Walk walk(addresses, ranges);
  ranges.SetBudget(RangeBudget(unit));
  DieWalker walker(unit.root, unit.end);
  while (walker.Next()) walk.Visit(walker);
  const auto note = [&](std::string_view what) {
    problems.Note(
        fmt::format("unit at {:#x} of .debug_info: {}", unit.offset, what));
  };
  if (walker.damaged()) note("its entries are damaged; the rest is not read");
  if (walker.too_deep())
    note(fmt::format("entries nested deeper than {} are not read",
                     DieWalker::kMaxDepth));
  if (ranges.exhausted() || walk.exhausted())
    note("implausibly many address ranges; the rest is not read");
  return walk.TakeResult();
}

}  // namespace heapprof
