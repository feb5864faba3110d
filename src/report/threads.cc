// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/threads.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/top_rows.h"
#include "heapprof/view/change.h"
#include "heapprof/view/whole_values.h"
#include "report/fit_name.h"
#include "report/shown_columns.h"

namespace heapprof {

std::string WriteThreads(const std::vector<ThreadRow>& rows,
                         const RowsOptions& options) {
  if (rows.empty()) return "";
  const std::span<const ThreadRow> shown = TopRows(rows, options.top);
  // The column of thread names is at most this wide. jemalloc cuts names at 15
  // bytes; longer names, which other inputs may have, stick out of the column.
  constexpr size_t kWidestName = 32;
  size_t width = std::string_view("name").size();
  for (const ThreadRow& row : shown)
    width = std::max(width, std::min(Columns(row.name), kWidestName));
  // On a terminal, the heading says that all numbers are exact.
  const bool has_errors = !options.is_exact || options.width == 0;
  // The id, the estimate, its bounds, the samples, and the name between blanks.
  const std::array<size_t, 5> widths = {6, 11, has_errors ? size_t{22} : 0,
                                        has_errors ? size_t{9} : 0, width + 2};
  constexpr size_t kId = 0, kBounds = 2, kSamples = 3;
  constexpr size_t kDispensable[] = {kSamples, kBounds, kId};
  // What 80 columns leave beside the longest name of a thread.
  constexpr size_t kReadableFunction = 15;
  const std::vector<bool> has =
      ShownColumns(widths, kDispensable, kReadableFunction, options.width);
  std::vector<std::string> lines;
  std::vector<std::string> functions;
  const auto add = [&](const auto& uid, std::string_view value,
                       std::string_view from, std::string_view to,
                       std::string_view samples, std::string_view name,
                       std::string_view function) {
    std::string line;
    if (has[kId]) line += fmt::format("{:>6}", uid);
    line += fmt::format(" {:>10}", value);
    if (has[kBounds]) line += fmt::format(" {:>10} {:>10}", from, to);
    if (has[kSamples]) line += fmt::format(" {:>8}", samples);
    line += ' ' + Printable(name);
    line.append(width - std::min(Columns(name), width) + 1, ' ');
    lines.push_back(std::move(line));
    functions.emplace_back(function);
  };
  if (options.is_comparison)
    add("uid", "change", "at least", "at most", "samples", "name", "most by");
  else
    add("uid", has_errors ? "estimate" : "exact", "from", "to", "samples",
        "name", "most by");
  const std::string no_interval = options.is_exact ? "exact" : "-";
  const auto bound = [&](const ThreadRow& row, double Interval::* end) {
    return row.interval
               ? FormatCell(RoundedOutwards(*row.interval).*end, options.unit)
               : no_interval;
  };
  for (const ThreadRow& row : shown)
    add(row.uid, FormatCell(WholeChange(row.sum), options.unit),
        bound(row, &Interval::lower), bound(row, &Interval::upper),
        row.samples ? fmt::format("{:.0f}", BothSides(*row.samples))
                    : no_interval,
        row.name, row.top_function);
  AppendNames(functions, options.width, lines);
  std::string out;
  for (const std::string& line : lines)
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  return out;
}

}  // namespace heapprof
