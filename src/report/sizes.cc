// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/sizes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/view/change.h"
#include "report/fit_name.h"
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

}  // namespace

std::string WriteSizes(const SizeTable& table, const RowsOptions& options) {
  if (table.rows.empty()) return "";
  double largest = 0;
  size_t longest = 0;
  for (const SizeRow& row : table.rows) {
    largest = std::max(largest, Difference(row.sum));
    longest = std::max(longest, Columns(row.top_function));
  }
  const bool has_bars = options.width >= kWidthForBars;
  // On a terminal, numbers without samples are exact.
  const bool has_samples = !options.is_exact || options.width == 0;
  // The size, what is held, its share, the objects and the samples.
  const size_t widths[] = {11, 11, 7, 11, has_samples ? size_t{9} : 0};
  constexpr size_t kShare = 2, kObjects = 3, kSamples = 4;
  constexpr size_t kDispensable[] = {kSamples, kObjects, kShare};
  const std::vector<bool> shown =
      ShownColumns(widths, kDispensable, 1 + std::min(longest, kReadableName),
                   options.width);
  std::vector<std::string> lines;
  std::vector<std::string> functions;
  const auto add = [&](std::string_view size, std::string_view held,
                       std::string_view share, double bar,
                       std::string_view objects, std::string_view samples,
                       std::string_view function) {
    std::string line;
    const std::string_view cells[] = {size, held, share, objects, samples};
    for (size_t i = 0; i < std::size(cells); ++i) {
      if (shown[i]) AppendFormat(line, "{:>{}} ", cells[i], widths[i] - 1);
      if (i == kShare && has_bars)
        line += ' ' + TextBar(bar, largest, kBarWidth) + ' ';
    }
    line += ' ';
    lines.push_back(std::move(line));
    functions.emplace_back(function);
  };
  add("size", options.is_comparison ? "change" : "held", "share", 0, "objects",
      "samples", "most by");
  const std::string no_samples = options.is_exact ? "exact" : "-";
  for (const SizeRow& row : LargestRows(table.rows, options.top))
    add(row.size == 0 ? "?" : FormatSize(row.size),
        FormatCell(WholeChange(row.sum), options.unit),
        FormatShare(row.percent), Difference(row.sum),
        FormatValue(row.objects, Unit::kObjects),
        row.samples ? fmt::format("{:.0f}", BothSides(*row.samples))
                    : no_samples,
        row.top_function);
  AppendNames(functions, options.width, lines);
  std::string out;
  for (const std::string& line : lines)
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  return out;
}

std::string MeanSizesText(const SizeTable& table) {
  if (table.mean_percent <= 0) return "";
  const std::string share = FormatShare(table.mean_percent);
  return fmt::format(
      "{}only the mean size of the objects of each stack is known",
      share == "100%" ? "" : fmt::format("for {} of the total, ", share));
}

}  // namespace heapprof
