// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/printable.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

// Escape sequences of terminals (ECMA-48, SGR).
constexpr std::string_view kStrong = "\x1b[1m";
constexpr std::string_view kStrongRed = "\x1b[1;31m";
constexpr std::string_view kFaint = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";

// From this share on a row is one to look at.
constexpr double kMuch = 5;

std::string_view StyleOf(const FlatRow& row) {
  if (std::abs(row.flat_percent) >= kMuch) return kStrongRed;
  if (std::abs(row.cumulative_percent) >= kMuch) return kStrong;
  return row.flat.value == 0 ? kFaint : std::string_view();
}

void AppendStyled(std::string_view line, std::string_view style,
                  const TextOptions& options, std::string& out) {
  if (options.color && !style.empty())
    fmt::format_to(std::back_inserter(out), "{}{}{}\n", style, line, kPlain);
  else
    fmt::format_to(std::back_inserter(out), "{}\n", line);
}

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
        kStrong, options, out);
  const size_t count = options.top == 0
                           ? table.rows.size()
                           : std::min(options.top, table.rows.size());
  for (const FlatRow& row : std::span(table.rows).first(count))
    AppendStyled(RowText(row, options), StyleOf(row), options, out);
  return out;
}

}  // namespace heapprof
