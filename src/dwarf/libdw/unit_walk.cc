// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/unit_walk.h"

#include <array>
#include <string_view>
#include <utility>

#include <dwarf.h>
#include <fmt/core.h>

namespace heapprof {
namespace {

Dwarf_Half VersionOf(const LibdwUnit& unit) {
  Dwarf_Half version = 0;
  dwarf_cu_info(unit.root.cu, &version, nullptr, nullptr, nullptr, nullptr,
                nullptr, nullptr);
  return version;
}

class Walk {
 public:
  Walk(const LibdwUnit& unit, std::span<const uint64_t> addresses,
       DieRangeReader& ranges)
      : unit_(unit),
        version_(VersionOf(unit)),
        innermost_functions_(addresses),
        ranges_(ranges) {}

  void Visit(DieWalker& walker);
  bool exhausted() const { return innermost_functions_.exhausted(); }
  UnitWalk Finish() && {
    result_.innermost = std::move(innermost_functions_).TakeInnermost();
    return std::move(result_);
  }

 private:
  uint32_t EnterFunction(Dwarf_Die* die);
  uint32_t EnterInlinedSubroutine(DieWalker& walker, uint32_t parent);
  void AddRangesInside(const Dwarf_Die& die);
  uint64_t FindEntryPc(Dwarf_Die* die) const;

  const LibdwUnit& unit_;
  Dwarf_Half version_;
  InnermostFunctions innermost_functions_;
  DieRangeReader& ranges_;
  UnitWalk result_;
  std::vector<AddressRange> ranges_of_die_;  // of the DIE that is visited
  // For each depth: the node (a function or an inlined subroutine) that
  // encloses the children of the last visited DIE at that depth.
  std::array<uint32_t, DieWalker::kMaxDepth + 1> enclosing_ = {};
};

void Walk::Visit(DieWalker& walker) {
  result_.scopes.Add(walker);
  const size_t depth = walker.depth();
  uint32_t node =
      depth == 0 ? InnermostFunctions::kNone : enclosing_[depth - 1];
  if (walker.tag() == DW_TAG_subprogram)
    node = EnterFunction(walker.die());
  else if (walker.tag() == DW_TAG_inlined_subroutine &&
           node != InnermostFunctions::kNone)
    node = EnterInlinedSubroutine(walker, node);
  enclosing_[depth] = node;
}

// Returns the entry PC of the function whose ranges are in ranges_of_die_. If
// the DIE does not record the entry PC, returns the start of the first range,
// because compilers put the range with the entry first. Other ranges, such as
// that of the cold part, may have lower addresses.
uint64_t Walk::FindEntryPc(Dwarf_Die* die) const {
  Dwarf_Addr entry_pc = 0;
  if (dwarf_entrypc(die, &entry_pc) == 0 && ranges_.IsCode(entry_pc))
    return entry_pc;
  return ranges_of_die_.front().start;
}

uint32_t Walk::EnterFunction(Dwarf_Die* die) {
  ranges_.Read(die, ranges_of_die_);
  if (ranges_of_die_.empty()) return InnermostFunctions::kNone;
  Dwarf_Attribute attribute;
  Dwarf_Die origin;
  if (dwarf_attr(die, DW_AT_abstract_origin, &attribute) != nullptr &&
      dwarf_formref_die(&attribute, &origin) != nullptr)
    result_.entry_pcs.try_emplace(origin.addr, FindEntryPc(die));

  const uint32_t function = innermost_functions_.AddFunction(ranges_of_die_);
  if (function != InnermostFunctions::kNone)
    result_.nodes.push_back({.die = *die, .entry_pc = FindEntryPc(die)});
  return function;
}

// Does what UnitScanner::AddRangesInside() does, for the same reason.
void Walk::AddRangesInside(const Dwarf_Die& die) {
  std::vector<AddressRange> ranges = ranges_of_die_;
  DieWalker inside(die, unit_.end);
  inside.Next();
  while (inside.Next()) {
    if (inside.tag() != DW_TAG_inlined_subroutine) continue;
    ranges_.Read(inside.die(), ranges_of_die_);
    ranges.insert(ranges.end(), ranges_of_die_.begin(), ranges_of_die_.end());
  }
  ranges_of_die_ = std::move(ranges);
}

uint32_t Walk::EnterInlinedSubroutine(DieWalker& walker, uint32_t parent) {
  constexpr size_t kMaxDepth = 64;
  Dwarf_Die* die = walker.die();
  ranges_.Read(die, ranges_of_die_);
  if (version_ == 2 && walker.depth() <= kMaxDepth) AddRangesInside(*die);
  const uint32_t inlined =
      innermost_functions_.AddInlinedSubroutine(parent, ranges_of_die_);
  if (inlined != InnermostFunctions::kNone)
    result_.nodes.push_back({.die = *die, .parent = parent});
  return inlined;
}

}  // namespace

UnitWalk WalkUnit(const LibdwUnit& unit, std::span<const uint64_t> addresses,
                  DieRangeReader& ranges, ProblemLog& problems) {
  Walk walk(unit, addresses, ranges);
  ranges.SetBudget(RangeBudget(unit));
  DieWalker walker(unit.root, unit.end);
  while (walker.Next()) walk.Visit(walker);
  const auto note = [&](std::string_view what) {
    problems.Note(
        fmt::format("unit at {:#x} of .debug_info: {}", unit.offset, what));
  };
  if (walker.damaged()) note(kDamagedDies);
  if (walker.too_deep())
    note(fmt::format("DIEs nested deeper than {} are not read",
                     DieWalker::kMaxDepth));
  if (ranges.exhausted() || walk.exhausted()) note(kTooManyRanges);
  return std::move(walk).Finish();
}

}  // namespace heapprof
