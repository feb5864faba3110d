// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace heapprof {

CollapsedReport WriteCollapsed(const StackTable& table) {
  CollapsedReport report;
  auto sink = std::back_inserter(report.text);
  for (const StackRow& row : table.rows) {
    const double value = std::trunc(row.now - row.before);
    if (value > 0) fmt::format_to(sink, "{} {:.0f}\n", row.stack, value);
    if (value < 0) report.shrunk -= value;
  }
  return report;
}

std::string WriteTwoColumns(const StackTable& table) {
  std::string text;
  for (const StackRow& row : table.rows) {
    const double now = std::trunc(row.now);
    const double before = std::trunc(row.before);
    if (now != 0 || before != 0)
      fmt::format_to(std::back_inserter(text), "{} {:.0f} {:.0f}\n", row.stack,
                     before, now);
  }
  return text;
}

}  // namespace heapprof
