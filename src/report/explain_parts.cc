// SPDX-License-Identifier: Apache-2.0
#include "report/explain_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/main_function.h"
#include "heapprof/view/confidence_text.h"
#include "heapprof/view/units.h"
#include "report/json_values.h"

namespace heapprof {
namespace {

std::string HeadlineOfGrowth(const Waterfall& waterfall) {
  const ExplainUnit unit = ExplainUnitFor(waterfall);
  const auto amount = [&](int64_t bytes) { return unit.Amount(bytes); };
  const int64_t change = waterfall.total - *waterfall.base_total;
  if (amount(change) == amount(0))
    return fmt::format("{} stayed at {} {}", TotalName(waterfall),
                       amount(waterfall.total), unit.name);
  std::string text = fmt::format(
      "{} {} by {} {}, from {} to {} {}", TotalName(waterfall),
      change > 0 ? "grew" : "shrank", amount(change > 0 ? change : -change),
      unit.name, amount(*waterfall.base_total), amount(waterfall.total),
      unit.name);
  // What changed most in the same direction.
  const auto most = std::ranges::max_element(
      waterfall.lines, {}, [change](const WaterfallLine& line) {
        return change > 0 ? line.change() : -line.change();
      });
  if (most != waterfall.lines.end())
    text += fmt::format(", most in {} ({})", LabelOf(most->kind),
                        unit.Change(most->change()));
  return text;
}

// Returns the functions up to main(), which the C library calls.
std::vector<std::string> UpToMain(const std::vector<std::string>& frames) {
  const auto main = std::ranges::find_if(frames, IsMain);
  return {frames.begin(), main == frames.end() ? main : main + 1};
}

// What a table of holders says.
enum class HolderBasis : uint8_t { kReplay, kAdded, kObjects };

HolderBasis BasisOf(const ClassWaste& waste) {
  if (waste.replay && waste.replay->fits) return HolderBasis::kReplay;
  const bool has_added = std::ranges::any_of(
      waste.holders,
      [](const SlabHolder& holder) { return holder.added_share > 0; });
  return has_added ? HolderBasis::kAdded : HolderBasis::kObjects;
}

class HolderTableMaker {
 public:
  HolderTableMaker(const Waterfall& waterfall, const ClassWaste& waste,
                   size_t most)
      : waste_(waste),
        basis_(BasisOf(waste)),
        unit_(ExplainUnitFor(waterfall)),
        most_(most) {}

  HolderTable Make() && {
    SetHeadings();
    for (const SlabHolder& holder : waste_.holders) {
      if (!Matters(holder)) continue;
      if (table_.rows.size() == most_)
        ++table_.more;
      else
        table_.rows.push_back({CellsOf(holder), UpToMain(holder.frames)});
    }
    return std::move(table_);
  }

 private:
  // What the log lacks may keep much of the class.
  bool IsAllInLog() const {
    constexpr uint64_t kSmallPart = 20;
    const ReplayFit& fit = *waste_.replay;
    return fit.older * kSmallPart <= fit.older + fit.live;
  }
  bool Matters(const SlabHolder& holder) const {
    if (basis_ == HolderBasis::kReplay) return holder.kept.has_value();
    if (basis_ == HolderBasis::kAdded) return holder.added_share > 0;
    return holder.samples != 0;
  }
  std::string PartOf(double share, int64_t bytes) const {
    return unit_.Amount(std::llround(share * static_cast<double>(bytes)));
  }

  void SetHeadings() {
    const std::string size = FormatSize(waste_.small.size);
    switch (basis_) {
      case HolderBasis::kReplay:
        table_.title = fmt::format(
            "Who keeps slabs of {}: estimate by a replay of {} sampled "
            "objects, {} of them live",
            size, waste_.replay->objects, waste_.replay->live);
        table_.headings = {"share", ConfidenceText(), "samples"};
        if (IsAllInLog())
          table_.headings.insert(table_.headings.begin(),
                                 std::string(unit_.name));
        break;
      case HolderBasis::kAdded:
        table_.title = fmt::format(
            "Who has more objects of {} than before, and what that share of "
            "the new free regions is",
            size);
        table_.headings = {std::string(unit_.name), "share", "added",
                           "samples"};
        break;
      case HolderBasis::kObjects:
        table_.title = fmt::format(
            "Who has objects of {}, and how much their slabs can have free",
            size);
        table_.headings = {"objects", "samples",
                           "at most, " + std::string(unit_.name)};
    }
  }

  std::vector<std::string> CellsOf(const SlabHolder& holder) const {
    const auto free = static_cast<int64_t>(waste_.small.free_bytes());
    const auto before = static_cast<int64_t>(waste_.base.free_bytes());
    if (basis_ == HolderBasis::kReplay) {
      const KeptShare& kept = *holder.kept;
      std::vector<std::string> cells = {
          FormatShare(100 * kept.share),
          fmt::format("{:.0f} to {:.0f}", 100 * kept.bounds.lower,
                      100 * kept.bounds.upper),
          fmt::format("{}", kept.samples)};
      if (IsAllInLog()) cells.insert(cells.begin(), PartOf(kept.share, free));
      return cells;
    }
    if (basis_ == HolderBasis::kAdded)
      return {PartOf(holder.added_share, free - before),
              FormatShare(100 * holder.added_share),
              fmt::format("{:.0f}", holder.added_objects),
              fmt::format("{}", holder.samples)};
    return {fmt::format("{:.0f}", holder.objects),
            fmt::format("{}", holder.samples),
            unit_.Amount(static_cast<int64_t>(holder.at_most))};
  }

  const ClassWaste& waste_;
  const HolderBasis basis_;
  const ExplainUnit unit_;
  const size_t most_;
  HolderTable table_;
};

}  // namespace

std::string ExplainUnit::Amount(int64_t bytes) const {
  return FormatFixed(static_cast<double>(bytes) / size, decimals);
}

std::string ExplainUnit::Change(int64_t bytes) const {
  return (bytes > 0 && !IsTiny(bytes) ? "+" : "") + Amount(bytes);
}

ExplainUnit ExplainUnitFor(const Waterfall& waterfall) {
  constexpr double kMega = 1 << 20, kGiga = 1 << 30;
  constexpr double kManyGiga = 10;
  const int64_t largest =
      std::max(waterfall.total, waterfall.base_total.value_or(0));
  return static_cast<double>(largest) < kManyGiga * kGiga
             ? ExplainUnit{kMega, 1, "MiB"}
             : ExplainUnit{kGiga, 2, "GiB"};
}

std::string_view TotalName(const Waterfall& waterfall) {
  return waterfall.is_rss ? "RSS" : "jemalloc's resident memory";
}

std::string ExplainHeadline(const Waterfall& waterfall) {
  if (waterfall.IsComparison()) return HeadlineOfGrowth(waterfall);
  const ExplainUnit unit = ExplainUnitFor(waterfall);
  const auto amount = [&](int64_t bytes) { return unit.Amount(bytes); };
  std::string text = fmt::format("{} {} {}", TotalName(waterfall),
                                 amount(waterfall.total), unit.name);
  if (!waterfall.is_rss) return text + ", at most";
  const bool is_told_apart =
      std::ranges::find(waterfall.lines, LineKind::kUntold,
                        &WaterfallLine::kind) == waterfall.lines.end();
  if (is_told_apart)
    text += fmt::format(" = jemalloc {} + other {}", amount(waterfall.jemalloc),
                        amount(waterfall.total - waterfall.jemalloc));
  return text;
}

double ExplainBar(const Waterfall& waterfall, const WaterfallLine& line) {
  if (line.change() <= 0 || ExplainUnitFor(waterfall).IsTiny(line.change()))
    return 0;
  const int64_t largest =
      std::ranges::max(waterfall.lines, {}, &WaterfallLine::change).change();
  return static_cast<double>(line.change()) / static_cast<double>(largest);
}

std::string ExplainShare(const Waterfall& waterfall, int64_t bytes) {
  if (std::abs(bytes) > waterfall.total) return "-";
  return FormatShare(Percent(static_cast<double>(bytes),
                             static_cast<double>(waterfall.total)));
}

std::string ExplainDetail(const Waterfall& waterfall,
                          const WaterfallLine& line) {
  if (line.kind != LineKind::kLive || !waterfall.dump) return line.detail;
  const ExplainUnit unit = ExplainUnitFor(waterfall);
  const auto bounds = [&](const DumpSamples& dump) {
    const auto [lower, upper] = WholeBounds(dump.bounds);
    return fmt::format("{} to {} {}", unit.Amount(lower), unit.Amount(upper),
                       unit.name);
  };
  std::string text = "by stacks: " + bounds(*waterfall.dump);
  if (waterfall.base_dump) text += ", before: " + bounds(*waterfall.base_dump);
  return text;
}

std::vector<HolderTable> HolderTables(const Waterfall& waterfall, size_t most) {
  std::vector<HolderTable> tables;
  for (const ClassWaste& waste : waterfall.classes)
    if (!waste.holders.empty())
      tables.push_back(HolderTableMaker(waterfall, waste, most).Make());
  return tables;
}

}  // namespace heapprof
