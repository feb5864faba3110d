// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/report/next_commands.h"
#include "heapprof/view/units.h"
#include "report/comparison_parts.h"
#include "report/fit_name.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

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
    const TextStyle style = {.width = layout_.width, .color = layout_.color};
    std::string out;
    AppendSides(comparison_, layout_.dumps, style, out);
    out += '\n';
    AppendStory(layout_.story, comparison_, style, out);
    AddRows();
    constexpr size_t kNumbers = 4;
    constexpr size_t kShare = 3, kBefore = 0, kAfter = 1;
    constexpr size_t kDispensable[] = {kShare, kBefore, kAfter};
    AppendTable(rows_, kNumbers, kDispensable, style, out);
    if (!layout_.commands.empty()) out += '\n';
    for (const std::string& line : NextLines(layout_.commands, layout_.width))
      out += line + '\n';
    return out;
  }

 private:
  void AddRows() {
    AddRow({.cells = {"before", "after", "change", "share"},
            .name = layout_.heading,
            .style = kFaint});
    AddRow(RowOf(comparison_.total, "total", kStrong));
    size_t listed = 0;
    for (const ComparisonEntry& entry : comparison_.entries) {
      if (!entry.has_changed) continue;
      if (layout_.rows != 0 && listed++ >= layout_.rows &&
          !IsOtherGroup(comparison_, entry))
        continue;
      AddRow(MarkedRow(entry));
      if (const std::string moved = MovedText(comparison_, entry);
          !moved.empty())
        AddRow({.name = "  " + moved, .style = kFaint});
    }
    AddUnchanged();
  }

  void AddUnchanged() {
    size_t count = 0;
    for (const ComparisonEntry& entry : comparison_.entries) {
      if (entry.has_changed) continue;
      const bool has_row =
          layout_.rows == 0 || IsOtherGroup(comparison_, entry);
      if (has_row) AddRow(MarkedRow(entry));
      if (layout_.rows != 0 && !has_row) ++count;
    }
    if (count > 0) AddRow(UnchangedRow(count));
  }

  void AddRow(TableRow row) { rows_.push_back(std::move(row)); }

  TableRow RowOf(const ComparisonEntry& entry,
                 std::array<std::string, 3> changes, std::string name,
                 std::string_view style) const {
    TableRow row = {.name = std::move(name), .style = style};
    std::ranges::move(changes, std::back_inserter(row.cells));
    row.cells.push_back(FormatShare(Percent(entry.change, larger_total_)));
    return row;
  }

  TableRow RowOf(const ComparisonEntry& entry, std::string name,
                 std::string_view style) const {
    return RowOf(entry, ChangeCells(comparison_, entry), std::move(name),
                 style);
  }

  TableRow MarkedRow(const ComparisonEntry& entry) const {
    constexpr size_t kRowsWithPlace = 6;  // with the heading and the total
    TableRow row = RowOf(entry, MarkedChangeCells(comparison_, entry),
                         entry.name, StyleOf(entry));
    if (comparison_.by == CompareBy::kFunction && entry.line != 0 &&
        rows_.size() < kRowsWithPlace)
      row.detail =
          fmt::format("{}:{}", Printable(BaseName(entry.file)), entry.line);
    return row;
  }

  TableRow UnchangedRow(size_t count) const {
    const bool is_sampled =
        IsSampled(comparison_.sides.now) || IsSampled(comparison_.sides.base);
    std::string name =
        is_sampled
            ? NoiseText(count)
            : Counted(count, CompareByName(comparison_.by)) + " unchanged";
    if (comparison_.is_cumulative)
      return {.name = std::move(name), .style = kFaint};
    return RowOf(comparison_.unchanged, std::move(name), kFaint);
  }

  // Returns "211 functions: may be chance". On a narrow terminal, leaves out
  // "functions" to save space.
  std::string NoiseText(size_t count) const {
    return (IsNarrow(layout_.width)
                ? fmt::format("{}", count)
                : Counted(count, CompareByName(comparison_.by))) +
           ": may be chance";
  }

  std::string_view StyleOf(const ComparisonEntry& entry) const {
    if (!entry.has_changed) return kFaint;
    const double share = Percent(entry.change, larger_total_);
    if (std::abs(share) < kMuch) return "";
    return share > 0 ? kStrongRed : kStrongCyan;
  }

  const Comparison& comparison_;
  const ComparisonLayout& layout_;
  const double larger_total_;
  std::vector<TableRow> rows_;
};

}  // namespace

std::string WriteComparison(const Comparison& comparison,
                            const ComparisonLayout& layout) {
  return ComparisonText(comparison, layout).Write();
}

}  // namespace heapprof
