// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

constexpr double kMegabyte = 1 << 20;

std::string FormatValue(double value, Unit unit) {
  if (unit == Unit::kMegabytes) return fmt::format("{:.1f}", value / kMegabyte);
  // Adding 0 turns a negative zero into a plain one.
  return fmt::format("{:.0f}", std::trunc(value) + 0.0);
}

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::kMegabytes:
      return "MB";
    case Unit::kBytes:
      return "B";
    case Unit::kObjects:
      return "objects";
  }
  return "";
}

std::string FormatPercent(double percent) {
  return fmt::format("{:.1f}%", percent);
}

}  // namespace

std::string WriteText(const FlatTable& table, const TextOptions& options) {
  std::string out;
  auto sink = std::back_inserter(out);
  if (table.total.value != 0)
    fmt::format_to(sink, "Total: {} {}\n",
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
