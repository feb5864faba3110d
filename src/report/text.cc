// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "heapprof/base/printable.h"

namespace heapprof {

std::string WriteText(const FlatTable& table, const TextOptions& options) {
  std::string out;
  auto sink = std::back_inserter(out);
  if (table.total.value != 0)
    fmt::format_to(sink, "Total{}: {} {}\n",
                   options.thread.empty()
                       ? ""
                       : fmt::format(" ({})", Printable(options.thread)),
                   FormatValue(table.total.value, options.unit),
                   UnitName(options.unit));
  const size_t count = options.top == 0
                           ? table.rows.size()
                           : std::min(options.top, table.rows.size());
  for (const FlatRow& row : std::span(table.rows).first(count)) {
    fmt::format_to(sink, "{:>8} {:>6} {:>6} {:>8} {:>6} {}\n",
                   FormatValue(row.flat.value, options.unit),
                   FormatPercent(row.flat_percent),
                   FormatPercent(row.running_percent),
                   FormatValue(row.cumulative.value, options.unit),
                   FormatPercent(row.cumulative_percent), Printable(row.name));
  }
  return out;
}

}  // namespace heapprof
