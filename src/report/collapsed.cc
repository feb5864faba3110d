// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/collapsed.h"

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "heapprof/view/whole_values.h"

namespace heapprof {

CollapsedReport WriteCollapsed(const StackTable& table) {
  CollapsedReport report;
  auto sink = std::back_inserter(report.text);
  WholeValues whole;
  for (const StackRow& row : table.rows) {
    const int64_t value = whole.Next(row.now - row.before);
    if (value > 0) fmt::format_to(sink, "{} {}\n", row.stack, value);
    if (value < 0) report.shrunk -= static_cast<double>(value);
  }
  return report;
}

std::string WriteTwoColumns(const StackTable& table) {
  std::string text;
  WholeValues whole_now, whole_before;
  for (const StackRow& row : table.rows) {
    const int64_t now = whole_now.Next(row.now);
    const int64_t before = whole_before.Next(row.before);
    if (now != 0 || before != 0)
      fmt::format_to(std::back_inserter(text), "{} {} {}\n", row.stack, before,
                     now);
  }
  return text;
}

}  // namespace heapprof
