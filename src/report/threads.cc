// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/threads.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/top_rows.h"
#include "heapprof/view/change.h"
#include "heapprof/view/whole_values.h"
#include "report/named_lines.h"
#include "report/shown_columns.h"

namespace heapprof {
namespace {

// The cells before the function that has allocated most.
struct ThreadCells {
  std::string uid;
  std::string value;
  std::string from;
  std::string to;
  std::string samples;
  std::string name;
};

ThreadCells ThreadHeadings(const RowsOptions& options, bool has_errors) {
  if (options.is_comparison)
    return {"uid", "change", "at least", "at most", "samples", "name"};
  return {"uid", has_errors ? "estimate" : "exact", "from", "to", "samples",
          "name"};
}

ThreadCells CellsOf(const ThreadRow& row, const RowsOptions& options) {
  const std::string unknown = options.is_exact ? "exact" : "-";
  const auto bound = [&](double Interval::* end) {
    return row.interval
               ? FormatCell(RoundedOutwards(*row.interval).*end, options.unit)
               : unknown;
  };
  return {.uid = std::to_string(row.uid),
          .value = FormatCell(WholeChange(row.sum), options.unit),
          .from = bound(&Interval::lower),
          .to = bound(&Interval::upper),
          .samples = row.samples
                         ? fmt::format("{:.0f}", BothSides(*row.samples))
                         : unknown,
          .name = row.name};
}

size_t WidthOfNames(std::span<const ThreadRow> rows) {
  // jemalloc cuts names at 15 bytes; longer names, which other inputs may have,
  // stick out of the column.
  constexpr size_t kWidest = 32;
  size_t width = std::string_view("name").size();
  for (const ThreadRow& row : rows)
    width = std::max(width, std::min(Columns(row.name), kWidest));
  return width;
}

}  // namespace

std::string WriteThreads(const std::vector<ThreadRow>& rows,
                         const RowsOptions& options) {
  if (rows.empty()) return "";
  const std::span<const ThreadRow> shown = TopRows(rows, options.top);
  const size_t name_width = WidthOfNames(shown);
  // On a terminal, the heading says that all numbers are exact.
  const bool has_errors = !options.is_exact || options.width == 0;
  // The id, the estimate, its bounds, the samples, and the name between blanks.
  const std::array<size_t, 5> widths = {6, 11, has_errors ? size_t{22} : 0,
                                        has_errors ? size_t{9} : 0,
                                        name_width + 2};
  constexpr size_t kId = 0, kBounds = 2, kSamples = 3;
  constexpr size_t kDispensable[] = {kSamples, kBounds, kId};
  // What 80 columns leave beside the longest name of a thread.
  constexpr size_t kReadableFunction = 15;
  const std::vector<bool> has =
      ShownColumns(widths, kDispensable, kReadableFunction, options.width);
  NamedLines lines;
  const auto add = [&](const ThreadCells& cells, std::string_view function) {
    std::string line;
    if (has[kId]) AppendFormat(line, "{:>6}", cells.uid);
    AppendFormat(line, " {:>10}", cells.value);
    if (has[kBounds])
      AppendFormat(line, " {:>10} {:>10}", cells.from, cells.to);
    if (has[kSamples]) AppendFormat(line, " {:>8}", cells.samples);
    line += ' ' + Printable(cells.name);
    line.append(name_width - std::min(Columns(cells.name), name_width) + 1,
                ' ');
    lines.Add(std::move(line), function);
  };
  add(ThreadHeadings(options, has_errors), "most by");
  for (const ThreadRow& row : shown)
    add(CellsOf(row, options), row.top_function);
  return std::move(lines).Finish(options.width);
}

}  // namespace heapprof
