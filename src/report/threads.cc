// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/threads.h"

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/core.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/top_rows.h"
#include "report/fit_name.h"

namespace heapprof {

std::string WriteThreads(const std::vector<ThreadRow>& rows,
                         const ThreadsOptions& options) {
  if (rows.empty()) return "";
  const std::span<const ThreadRow> shown = TopRows(rows, options.top);
  // The column of thread names is at most this wide. jemalloc cuts names at 15
  // bytes; longer names, which other inputs may have, stick out of the column.
  constexpr size_t kWidestName = 32;
  // Beside the longest name of a thread, 15 columns of 80 are left.
  constexpr size_t kNarrowestFunction = 12;
  size_t width = std::string_view("name").size();
  for (const ThreadRow& row : shown)
    width = std::max(width, std::min(Columns(row.name), kWidestName));

  std::string out;
  const auto add = [&](const auto& uid, std::string_view value,
                       std::string_view from, std::string_view to,
                       std::string_view samples, std::string_view name,
                       std::string_view function) {
    std::string line = fmt::format("{:>6} {:>10} {:>10} {:>10} {:>8} {}", uid,
                                   value, from, to, samples, Printable(name));
    line.append(width - std::min(Columns(name), width) + 1, ' ');
    const size_t room = options.width - std::min(Columns(line), options.width);
    const std::string text = Printable(function);
    line += options.width == 0
                ? text
                : FitFunction(text, std::max(kNarrowestFunction, room));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add("uid", "estimate", "from", "to", "samples", "name", "most by");
  const std::string no_interval = options.is_exact ? "exact" : "-";
  const auto bound = [&](const ThreadRow& row, double Interval::* end) {
    return row.interval ? FormatCell((*row.interval).*end, options.unit)
                        : no_interval;
  };
  for (const ThreadRow& row : shown)
    add(row.uid, FormatCell(Difference(row.sum), options.unit),
        bound(row, &Interval::lower), bound(row, &Interval::upper),
        row.samples ? fmt::format("{:.0f}", BothSides(*row.samples))
                    : no_interval,
        row.name, row.top_function);
  return out;
}

}  // namespace heapprof
