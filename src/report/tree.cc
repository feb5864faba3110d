// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/tree.h"

#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/fit_name.h"

namespace heapprof {
namespace {

constexpr std::string_view kRule =
    "----------------------------------------------------------+-------------"
    "\n";

// Appends a line: `text`, then `name` shortened to fit.
void AppendLine(std::string text, std::string_view name, size_t width,
                std::string& out) {
  text += FitName(name, text.size(), width);
  text += '\n';
  out += text;
}

void AppendCallersOrCallees(const std::vector<CallerOrCallee>& related,
                            Unit unit, size_t width, std::string& out) {
  for (const CallerOrCallee& other : related)
    AppendLine(fmt::format("{:>50} {:>6} |   ", FormatCell(other.value, unit),
                           FormatShare(other.percent)),
               other.name, width, out);
}

}  // namespace

std::string WriteTree(const CallersCalleesTable& table, Unit unit,
                      size_t width) {
  std::string out;
  auto sink = std::back_inserter(out);
  fmt::format_to(sink, "Showing nodes accounting for {}, {} of {} total\n",
                 FormatCell(table.shown, unit),
                 FormatShare(Percent(table.shown, table.total)),
                 FormatCell(table.total, unit));
  if (table.rows.size() < table.all_rows)
    fmt::format_to(sink, "Showing top {} nodes out of {}\n", table.rows.size(),
                   table.all_rows);
  fmt::format_to(sink,
                 "{}{:>10} {:>6} {:>6} {:>10} {:>6}   calls calls% + "
                 "context\n{}",
                 kRule, "flat", "flat%", "sum%", "cum", "cum%", kRule);
  for (const CallersCalleesRow& row : table.rows) {
    AppendCallersOrCallees(row.callers, unit, width, out);
    AppendLine(
        fmt::format("{:>10} {:>6} {:>6} {:>10} {:>6}                | ",
                    FormatCell(row.flat, unit), FormatShare(row.flat_percent),
                    FormatShare(row.running_percent),
                    FormatCell(row.cumulative, unit),
                    FormatShare(row.cumulative_percent)),
        row.name, width, out);
    AppendCallersOrCallees(row.callees, unit, width, out);
    out += kRule;
  }
  return out;
}

}  // namespace heapprof
