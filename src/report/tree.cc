// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/tree.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/fit_name.h"

namespace heapprof {
namespace {

constexpr std::string_view kRule =
    "----------------------------------------------------------+-------------"
    "\n";

// Writes a line: `text`, then `name` shortened to fit.
void WriteLine(std::string text, std::string_view name, size_t width,
               ByteSink& out) {
  text += FitName(name, text.size(), width);
  text += '\n';
  out.Append(text);
}

void WriteCallersOrCallees(const std::vector<CallerOrCallee>& related,
                           Unit unit, size_t width, ByteSink& out) {
  for (const CallerOrCallee& other : related)
    WriteLine(fmt::format("{:>50} {:>6} |   ", FormatCell(other.value, unit),
                          FormatShare(other.percent)),
              other.name, width, out);
}

}  // namespace

void WriteTree(const CallersCalleesTable& table, Unit unit, size_t width,
               ByteSink& out) {
  out.Format("Showing nodes accounting for {}, {} of {} total\n",
             FormatCell(table.shown, unit),
             FormatShare(Percent(table.shown, table.total)),
             FormatCell(table.total, unit));
  if (table.rows.size() < table.all_rows)
    out.Format("Showing top {} nodes out of {}\n", table.rows.size(),
               table.all_rows);
  out.Format(
      "{}{:>10} {:>6} {:>6} {:>10} {:>6}   calls calls% + "
      "context\n{}",
      kRule, "flat", "flat%", "sum%", "cum", "cum%", kRule);
  for (const CallersCalleesRow& row : table.rows) {
    WriteCallersOrCallees(row.callers, unit, width, out);
    WriteLine(
        fmt::format("{:>10} {:>6} {:>6} {:>10} {:>6}                | ",
                    FormatCell(row.flat, unit), FormatShare(row.flat_percent),
                    FormatShare(row.running_percent),
                    FormatCell(row.cumulative, unit),
                    FormatShare(row.cumulative_percent)),
        row.name, width, out);
    WriteCallersOrCallees(row.callees, unit, width, out);
    out.Append(kRule);
  }
}

}  // namespace heapprof
