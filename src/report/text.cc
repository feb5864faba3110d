// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/printable.h"
#include "report/fit_name.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

std::string_view StyleOf(const FlatRow& row, const TextOptions& options) {
  if (!options.color) return "";
  if (std::abs(row.flat_percent) >= kMuch) return kStrongRed;
  if (std::abs(row.cumulative_percent) >= kMuch) return kStrong;
  return row.flat.value == 0 ? kFaint : std::string_view();
}

// Headings for the columns of RowText().
constexpr std::string_view kHeading =
    "    self  share    sum  with callees   function";

std::string RowText(const FlatRow& row, const TextOptions& options) {
  std::string text = fmt::format(
      "{:>8} {:>6} {:>6} {:>8} {:>6} ",
      FormatValue(row.flat.value, options.unit),
      FormatPercent(row.flat_percent), FormatPercent(row.running_percent),
      FormatValue(row.cumulative.value, options.unit),
      FormatPercent(row.cumulative_percent));
  return text + FitName(row.name, text.size(), options.width);
}

}  // namespace

std::string WriteText(const FlatTable& table, const TextOptions& options) {
  std::string out;
  if (table.total.value != 0)
    AppendStyled(
        fmt::format("Total{}: {} {}",
                    options.thread.empty()
                        ? ""
                        : fmt::format(" ({})", Printable(options.thread)),
                    FormatValue(table.total.value, options.unit),
                    UnitName(options.unit)),
        options.color ? kStrong : "", out);
  if (options.heading) AppendStyled(kHeading, options.color ? kFaint : "", out);
  const size_t count = options.top == 0
                           ? table.rows.size()
                           : std::min(options.top, table.rows.size());
  for (const FlatRow& row : std::span(table.rows).first(count))
    AppendStyled(RowText(row, options), StyleOf(row, options), out);
  return out;
}

}  // namespace heapprof
