// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "explain/remarks.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {
namespace {

// Calls `remove` with all inputs if some, but not all, have what `has` finds.
template <typename Has, typename Remove>
bool Level(std::span<WaterfallInputs> all, const Has& has,
           const Remove& remove) {
  const auto count = static_cast<size_t>(std::ranges::count_if(all, has));
  if (count == 0 || count == all.size()) return false;
  std::ranges::for_each(all, remove);
  return true;
}

bool IsToldApart(const WaterfallInputs& inputs) {
  return FindJemalloc(inputs).AreToldApart();
}

void AddBaseLines(const Waterfall& base, Waterfall& waterfall) {
  for (const WaterfallLine& before : base.lines) {
    const auto it = std::ranges::find_if(
        waterfall.lines,
        [&](const WaterfallLine& line) { return line.kind >= before.kind; });
    if (it != waterfall.lines.end() && it->kind == before.kind) {
      it->base_bytes = before.bytes;
      it->certainty = std::max(it->certainty, before.certainty);
    } else {
      waterfall.lines.insert(it, {.kind = before.kind,
                                  .base_bytes = before.bytes,
                                  .certainty = before.certainty});
    }
  }
}

// Leaves advice to the lines that matter to the change.
void AdviseOnGrowth(const WaterfallInputs& now, Waterfall& waterfall) {
  int64_t growth = 0;
  for (const WaterfallLine& line : waterfall.lines)
    growth += std::max<int64_t>(line.change(), 0);
  for (WaterfallLine& line : waterfall.lines)
    line.advice =
        IsWorthAdvice(line.change(), growth) ? AdviceFor(line.kind, now) : "";
}

void AddBaseClasses(const Waterfall& base, Waterfall& waterfall) {
  for (const ClassWaste& before : base.classes) {
    const auto it = std::ranges::find(
        waterfall.classes, before.small.size,
        [](const ClassWaste& waste) { return waste.small.size; });
    if (it != waterfall.classes.end())
      it->base = before.small;
    else
      waterfall.classes.push_back(
          {.small = {.size = before.small.size,
                     .regions_per_slab = before.small.regions_per_slab},
           .base = before.small});
  }
  std::ranges::stable_sort(
      waterfall.classes, std::greater<>(), [](const ClassWaste& waste) {
        return static_cast<int64_t>(waste.small.free_bytes()) -
               static_cast<int64_t>(waste.base.free_bytes());
      });
}

// Returns "5.3.0" of "5.3.0-0-g54eaed1d".
std::string_view Release(std::string_view version) {
  return version.substr(0, version.find("-0-g"));
}

// The remarks of both sides: what holds for both is said once.
std::vector<Remark> RemarksOfBoth(const std::vector<Remark>& base,
                                  std::vector<Remark> now) {
  std::erase_if(now, [](const Remark& remark) {
    return remark.kind == RemarkKind::kOneDump;
  });
  const size_t count = now.size();
  for (const Remark& remark : base) {
    const bool is_said = std::any_of(
        now.begin(), now.begin() + static_cast<ptrdiff_t>(count),
        [&](const Remark& other) { return other.text == remark.text; });
    if (!is_said && remark.kind != RemarkKind::kOneDump)
      now.push_back({remark.kind, "the base: " + remark.text});
  }
  return now;
}

}  // namespace

bool KeepWhatAllTell(std::span<WaterfallInputs> all) {
  bool has_removed = Level(
      all, [](const auto& in) { return in.memory.has_value(); },
      [](auto& in) { in.memory = in.other_memory = std::nullopt; });
  has_removed |= Level(all, IsToldApart, [](auto& in) {
    if (in.memory) in.memory->regions.reset();
  });
  has_removed |= Level(
      all, [](const auto& in) { return in.memory && in.memory->anonymous; },
      [](auto& in) {
        if (in.memory) in.memory->anonymous.reset();
      });
  has_removed |= Level(
      all, [](const auto& in) { return in.memory && in.memory->swapped; },
      [](auto& in) {
        if (in.memory) in.memory->swapped.reset();
      });
  has_removed |= Level(
      all, [](const auto& in) { return in.dump.has_value(); },
      [](auto& in) { in.dump.reset(); });
  has_removed |= Level(
      all, [](const auto& in) { return in.stats.total.has_value(); },
      [](auto& in) { in.stats.total.reset(); });
  const auto level_member = [&](auto member) {
    has_removed |= Level(
        all,
        [member](const auto& in) {
          return in.stats.total && (*in.stats.total.*member).has_value();
        },
        [member](auto& in) {
          if (in.stats.total) (*in.stats.total.*member).reset();
        });
  };
  level_member(&ArenaStats::small);
  level_member(&ArenaStats::large);
  level_member(&ArenaStats::dirty_pages);
  level_member(&ArenaStats::tcache_bytes);
  level_member(&ArenaStats::internal);
  return has_removed;
}

Result<Waterfall> CompareWaterfalls(const WaterfallInputs& base,
                                    const WaterfallInputs& now) {
  const auto whole_base = MakeWaterfall(base);
  if (!whole_base) return whole_base;
  const auto whole = MakeWaterfall(now);
  if (!whole) return whole;
  WaterfallInputs sides[] = {base, now};
  const bool has_removed = KeepWhatAllTell(sides);
  const auto before = MakeWaterfall(sides[0]);
  auto waterfall = MakeWaterfall(sides[1]);
  waterfall->base_total = before->total;
  waterfall->is_jemalloc_exact &= before->is_jemalloc_exact;
  waterfall->dump = now.dump;
  waterfall->base_dump = base.dump;
  AddBaseLines(*before, *waterfall);
  AdviseOnGrowth(sides[1], *waterfall);
  AddBaseClasses(*before, *waterfall);
  waterfall->remarks = RemarksOfBoth(whole_base->remarks, whole->remarks);
  if (has_removed)
    waterfall->remarks.push_back(
        {RemarkKind::kDividedAlike,
         "the files of one side say less than those of the other one: both are "
         "divided only into the lines that both tell apart"});
  if (base.stats.version != now.stats.version)
    waterfall->remarks.push_back(
        {RemarkKind::kOtherVersions,
         fmt::format(
             "the sides are of jemalloc {:.40} and {:.40}, which may count "
             "differently",
             Release(base.stats.version), Release(now.stats.version))});
  return waterfall;
}

}  // namespace heapprof
