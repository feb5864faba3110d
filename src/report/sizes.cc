// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/sizes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/view/change.h"
#include "report/fit_name.h"
#include "report/named_lines.h"
#include "report/shown_columns.h"
#include "report/text_bar.h"

namespace heapprof {
namespace {

// Narrower lines have no bars.
constexpr size_t kWidthForBars = 100;
constexpr size_t kBarWidth = 16;

// Returns the `top` rows with the largest values, in the order of the table.
std::vector<SizeRow> LargestRows(std::vector<SizeRow> rows, size_t top) {
  if (top == 0 || rows.size() <= top) return rows;
  std::ranges::stable_sort(rows, std::greater(), [](const SizeRow& row) {
    return std::abs(Difference(row.sum));
  });
  rows.resize(top);
  std::ranges::sort(rows, {}, &SizeRow::size);
  return rows;
}

// The cells before the function: the size, what is held, its share, the objects
// and the samples.
using SizeCells = std::array<std::string, 5>;

SizeCells SizeHeadings(const RowsOptions& options) {
  return {"size", options.is_comparison ? "change" : "held", "share", "objects",
          "samples"};
}

SizeCells CellsOf(const SizeRow& row, const RowsOptions& options) {
  std::string samples = options.is_exact ? "exact" : "-";
  if (row.samples) samples = fmt::format("{:.0f}", BothSides(*row.samples));
  return {row.size == 0 ? "?" : FormatSize(row.size),
          FormatCell(WholeChange(row.sum), options.unit),
          FormatShare(row.percent), FormatValue(row.objects, Unit::kObjects),
          std::move(samples)};
}

}  // namespace

std::string WriteSizes(const SizeTable& table, const RowsOptions& options) {
  if (table.rows.empty()) return "";
  double largest = 0;
  size_t longest = 0;
  for (const SizeRow& row : table.rows) {
    largest = std::max(largest, Difference(row.sum));
    longest = std::max(longest, Columns(row.top_function));
  }
  // On a terminal, numbers without samples are exact.
  const bool has_samples = !options.is_exact || options.width == 0;
  const std::array<size_t, std::tuple_size_v<SizeCells>> widths = {
      11, 11, 7, 11, has_samples ? size_t{9} : 0};
  constexpr size_t kShare = 2, kObjects = 3, kSamples = 4;
  constexpr size_t kDispensable[] = {kSamples, kObjects, kShare};
  const std::vector<bool> shown =
      ShownColumns(widths, kDispensable, 1 + std::min(longest, kReadableName),
                   options.width);
  const bool has_bars = options.width >= kWidthForBars;
  NamedLines lines;
  const auto add = [&](const SizeCells& cells, double bar,
                       std::string_view function) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (shown[i]) AppendFormat(line, "{:>{}} ", cells[i], widths[i] - 1);
      if (i == kShare && has_bars)
        line += ' ' + TextBar(bar, largest, kBarWidth) + ' ';
    }
    lines.Add(line + ' ', function);
  };
  add(SizeHeadings(options), 0, "most by");
  for (const SizeRow& row : LargestRows(table.rows, options.top))
    add(CellsOf(row, options), Difference(row.sum), row.top_function);
  return std::move(lines).Finish(options.width);
}

std::string MeanSizesText(const SizeTable& table) {
  if (table.mean_percent <= 0) return "";
  const std::string share = FormatShare(table.mean_percent);
  return fmt::format(
      "{}only the mean size of the objects of each stack is known",
      share == "100%" ? "" : fmt::format("for {} of the total, ", share));
}

}  // namespace heapprof
