// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/sizes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "report/fit_name.h"

namespace heapprof {
namespace {

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

std::string WriteSizes(const SizeTable& table, const SizesOptions& options) {
  std::string out;
  const auto add = [&](std::string_view size, std::string_view held,
                       std::string_view share, std::string_view objects,
                       std::string_view samples, std::string_view function) {
    std::string line = fmt::format("{:>10} {:>10} {:>6} {:>10} {:>8}  ", size,
                                   held, share, objects, samples);
    line += FitName(function, line.size(), options.width);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  if (table.rows.empty()) return out;
  add("size", "held", "share", "objects", "samples", "top function");
  const std::string no_samples = options.is_exact ? "exact" : "-";
  for (const SizeRow& row : LargestRows(table.rows, options.top))
    add(row.size == 0 ? "?" : FormatSize(row.size),
        FormatCell(Difference(row.sum), options.unit), FormatShare(row.percent),
        FormatValue(row.objects, Unit::kObjects),
        row.samples ? fmt::format("{:.0f}", BothSides(*row.samples))
                    : no_samples,
        row.top_function);
  return out;
}

}  // namespace heapprof
