// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/view/units.h"
#include "report/fit_name.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

// One line of the table, not aligned yet.
struct TableRow {
  std::string before = {}, after = {}, change = {}, share = {};
  std::string name;
  std::string_view style = {};
};

const std::string kIndent(8, ' ');
const std::string kGap(3, ' ');

struct SideHeader {
  std::string path;
  std::string program = {};
  std::string total;
};

std::string_view NounOf(CompareBy by) {
  switch (by) {
    case CompareBy::kFunction:
      return "function";
    case CompareBy::kStack:
      return "stack";
    case CompareBy::kFile:
      return "file";
    case CompareBy::kModule:
      return "module";
    case CompareBy::kThread:
      return "thread";
  }
  return "";
}

// "211 functions"; "211" without a noun.
std::string CountText(size_t count, std::string_view noun) {
  if (noun.empty()) return fmt::format("{}", count);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

bool IsSampled(const ComparedSide& side) {
  return !side.is_exact && side.period != 0;
}

class ComparisonText {
 public:
  ComparisonText(const Comparison& comparison, const ComparisonLayout& layout)
      : comparison_(comparison),
        layout_(layout),
        larger_total_(std::max(comparison.total.growth.now.mean.value,
                               comparison.total.growth.base.mean.value)) {}

  std::string Write() && {
    AddSides();
    AddLine("", "");
    AddTable();
    return std::move(out_);
  }

 private:
  void AddLine(std::string_view line, std::string_view style) {
    AppendStyled(line, layout_.color && !line.empty() ? style : "", out_);
  }

  // The programs are below the paths unless there is room beside both.
  void AddSides() {
    const SideHeader headers[] = {HeaderOf("before", Side::kBase),
                                  HeaderOf("after", Side::kNew)};
    const bool fits =
        std::ranges::all_of(headers, [this](const SideHeader& header) {
          return layout_.width == 0 ||
                 Columns(header.path + kGap + header.program) <= layout_.width;
        });
    for (const auto& [path, program, total] : headers) {
      AddLine(fits && !program.empty() ? path + kGap + program : path, kStrong);
      if (!fits && !program.empty()) AddLine(kIndent + program, kStrong);
      AddLine(kIndent + total, "");
    }
  }

  SideHeader HeaderOf(std::string_view label, Side side) const {
    SideHeader header = {.path = fmt::format("{:<{}}", label, kIndent.size()),
                         .total = SideText(side)};
    const auto& dumps = layout_.dumps[static_cast<size_t>(side)];
    if (dumps.empty()) return header;
    header.path += PathText(dumps, header.path.size());
    header.program = ProgramText(dumps.front());
    return header;
  }

  // The first path. Without its folder, it may fit; that is enough if it tells
  // the dumps apart.
  std::string PathText(const std::vector<ComparedDump>& dumps,
                       size_t used) const {
    const std::string& path = dumps.front().path;
    const std::string more =
        dumps.size() == 1 ? "" : fmt::format(" and {} more", dumps.size() - 1);
    used += Columns(more);
    const auto& [now, base] = layout_.dumps;
    const bool differ =
        !now.empty() && !base.empty() &&
        BaseName(now.front().path) != BaseName(base.front().path);
    const bool is_long =
        layout_.width != 0 && used + Columns(path) > layout_.width;
    return FitName(is_long && differ ? BaseName(path) : path, used,
                   layout_.width) +
           more;
  }

  // "server (build 289ee39f0a1b)   2026-11-23 04:25:41 UTC"
  static std::string ProgramText(const ComparedDump& dump) {
    constexpr size_t kShownDigits = 12;
    std::string text = Printable(BaseName(dump.program));
    if (!dump.build_id.empty())
      text += fmt::format(" (build {})",
                          Printable(dump.build_id.substr(0, kShownDigits)));
    if (dump.time_seconds == 0) return text;
    return text + fmt::format("{}{:%Y-%m-%d %H:%M:%S} UTC",
                              text.empty() ? "" : kGap,
                              fmt::gmtime(dump.time_seconds));
  }

  // "312.6 ± 1.2 MiB live; one sample per 16 KiB"
  std::string SideText(Side which) const {
    const ComparedSide& side = comparison_.sides[static_cast<size_t>(which)];
    const Growth& growth = comparison_.total.growth;
    const double total =
        (which == Side::kNew ? growth.now : growth.base).mean.value;
    std::string text =
        IsObjectCount(comparison_.metric)
            ? FormatAmount(total, Unit::kObjects)
            : FormatWithInterval(total, side.total, Unit::kMegabytes);
    if (side.is_exact && !IsObjectCount(comparison_.metric)) text += " (exact)";
    text += IsAccumulated(comparison_.metric) ? " allocated" : " live";
    if (side.runs > 1) text += fmt::format(", mean of {} dumps", side.runs);
    if (side.is_exact) return text + "; every allocation was sampled";
    if (side.period == 0) return text + "; unknown sampling period";
    return text + fmt::format("; one sample per {}", FormatSize(side.period));
  }

  void AddTable() {
    AddRow({"before", "after", "change", "share", layout_.heading, kFaint});
    AddRow(RowOf(comparison_.total, "total", kStrong));
    size_t listed = 0;
    for (const ComparisonEntry& entry : comparison_.entries) {
      if (!entry.HasChanged()) continue;
      if (layout_.rows != 0 && listed++ == layout_.rows) break;
      AddRow(MarkedRow(entry));
      if (entry.is_new && !entry.maybe_moved.empty()) AddRow(MovedRow(entry));
    }
    AddUnchanged();
    AddAlignedRows();
  }

  void AddUnchanged() {
    size_t count = 0;
    for (const ComparisonEntry& entry : comparison_.entries) {
      if (entry.HasChanged()) continue;
      ++count;
      if (layout_.rows == 0) AddRow(MarkedRow(entry));
    }
    if (layout_.rows != 0 && count > 0) AddRow(UnchangedRow(count));
  }

  void AddRow(TableRow row) { rows_.push_back(std::move(row)); }

  TableRow RowOf(const ComparisonEntry& entry, std::string name,
                 std::string_view style) const {
    const Growth& growth = entry.growth;
    return {.before = Amount(growth.base.mean.value),
            .after = Amount(growth.now.mean.value),
            .change = ChangeText(entry),
            .share = FormatShare(Percent(entry.change, larger_total_)),
            .name = std::move(name),
            .style = style};
  }

  TableRow MarkedRow(const ComparisonEntry& entry) const {
    TableRow row = RowOf(entry, entry.name, StyleOf(entry));
    if (entry.is_new) row.before = "new";
    if (entry.is_gone) row.after = "gone";
    return row;
  }

  TableRow MovedRow(const ComparisonEntry& entry) const {
    const auto other = std::ranges::find(comparison_.entries, entry.maybe_moved,
                                         &ComparisonEntry::key);
    const std::string& name =
        other == comparison_.entries.end() ? entry.maybe_moved : other->name;
    return {.name = fmt::format("  moved from {}?", name), .style = kFaint};
  }

  TableRow UnchangedRow(size_t count) const {
    const bool is_sampled =
        IsSampled(comparison_.sides[0]) || IsSampled(comparison_.sides[1]);
    const bool has_error = is_sampled && !IsObjectCount(comparison_.metric);
    std::string name =
        has_error ? CountText(count, NoiseNoun()) + " within sampling error"
                  : CountText(count, NounOf(comparison_.by)) + " unchanged";
    if (comparison_.is_cumulative)
      return {.name = std::move(name), .style = kFaint};
    return RowOf(SumOfUnchanged(comparison_), std::move(name), kFaint);
  }

  // A narrow terminal has no room for the noun.
  std::string_view NoiseNoun() const {
    constexpr size_t kNarrow = 100;
    return layout_.width != 0 && layout_.width < kNarrow
               ? ""
               : NounOf(comparison_.by);
  }

  std::string_view StyleOf(const ComparisonEntry& entry) const {
    if (!entry.HasChanged()) return kFaint;
    const double share = Percent(entry.change, larger_total_);
    if (std::abs(share) < kMuch) return "";
    return share > 0 ? kStrongRed : kStrongCyan;
  }

  std::string Amount(double value) const {
    return FormatCell(value, IsObjectCount(comparison_.metric)
                                 ? Unit::kObjects
                                 : Unit::kMegabytes);
  }

  std::string ChangeText(const ComparisonEntry& entry) const {
    if (entry.change == 0 && entry.interval.lower == entry.interval.upper)
      return "0";
    if (!IsObjectCount(comparison_.metric))
      return FormatChange(entry.change, entry.interval.lower,
                          entry.interval.upper);
    const std::string amount = Amount(entry.change);
    return entry.change > 0 && amount != "0" ? "+" + amount : amount;
  }

  // Aligns numbers to the right. The columns are as wide as their contents.
  void AddAlignedRows() {
    const auto width_of = [this](std::string TableRow::* column) {
      size_t width = 0;
      for (const TableRow& row : rows_)
        width = std::max(width, Columns(row.*column));
      return width;
    };
    constexpr std::string TableRow::* kNumbers[] = {
        &TableRow::before, &TableRow::after, &TableRow::change,
        &TableRow::share};
    size_t widths[std::size(kNumbers)];
    for (size_t i = 0; i < std::size(kNumbers); ++i)
      widths[i] = width_of(kNumbers[i]);
    for (const TableRow& row : rows_) {
      std::string line;
      for (size_t i = 0; i < std::size(kNumbers); ++i) {
        const std::string& cell = row.*kNumbers[i];
        line.append(widths[i] - Columns(cell), ' ');
        line += cell + "  ";
      }
      line += FitName(row.name, Columns(line), layout_.width);
      AddLine(line, row.style);
    }
  }

  const Comparison& comparison_;
  const ComparisonLayout& layout_;
  const double larger_total_;
  std::vector<TableRow> rows_;
  std::string out_;
};

}  // namespace

std::string WriteComparison(const Comparison& comparison,
                            const ComparisonLayout& layout) {
  return ComparisonText(comparison, layout).Write();
}

}  // namespace heapprof
