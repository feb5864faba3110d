// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/top_rows.h"
#include "heapprof/view/change.h"
#include "report/fit_name.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

std::string_view StyleOf(const FlatRow& row, const TextOptions& options) {
  if (!options.color) return "";
  if (std::abs(row.flat_percent) >= kMuch) return kStrongRed;
  if (std::abs(row.cumulative_percent) >= kMuch) return kStrong;
  return Difference(row.flat) == 0 ? kFaint : std::string_view();
}

std::string TotalText(const FlatTable& table, const TextOptions& options) {
  const std::string thread =
      options.thread.empty() ? ""
                             : fmt::format(" ({})", Printable(options.thread));
  if (!options.total.empty())
    return fmt::format("Total{}: {}", thread, options.total);
  return fmt::format("Total{}: {} {}", thread,
                     FormatValue(WholeChange(table.total), options.unit),
                     UnitName(options.unit));
}

// Returns the headings of the columns that RowText() writes.
std::string Heading(const TextOptions& options) {
  return fmt::format("    self  share    sum  with callees   {}{}",
                     options.error_bars ? "   error   n_eff " : "",
                     options.noun);
}

std::string ErrorColumns(const FlatRow& row, const TextOptions& options) {
  const ErrorBars& bars = *options.error_bars;
  if (bars.is_exact()) return fmt::format("{:>8} {:>7} ", "exact", "-");
  const Change& change =
      options.has_cumulative_errors ? row.cumulative : row.flat;
  const auto interval = bars.Of(change);
  const auto samples = bars.Samples(change);
  return fmt::format(
      "{:>8} {:>7} ",
      interval ? FormatError(Difference(change), *interval, options.unit) : "-",
      samples ? fmt::format("{:.0f}", *samples) : "-");
}

// Appends a number, right-aligned, and a blank. fmt takes ten times as long,
// which would be a sixth of the time of a report that an index names.
void AppendNumber(std::string_view number, size_t width, std::string& out) {
  out.append(width - std::min(width, number.size()), ' ');
  out += number;
  out += ' ';
}

std::string RowText(const FlatRow& row, const TextOptions& options) {
  constexpr size_t kValueWidth = 8;
  constexpr size_t kPercentWidth = 6;
  std::string text;
  AppendNumber(FormatValue(WholeChange(row.flat), options.unit), kValueWidth,
               text);
  AppendNumber(FormatPercent(row.flat_percent), kPercentWidth, text);
  AppendNumber(FormatPercent(row.running_percent), kPercentWidth, text);
  AppendNumber(FormatValue(WholeChange(row.cumulative), options.unit),
               kValueWidth, text);
  AppendNumber(FormatPercent(row.cumulative_percent), kPercentWidth, text);
  if (options.error_bars) text += ErrorColumns(row, options);
  const auto fit = options.has_places ? FitNameAndPlace : FitName;
  return text + fit(row.name, Columns(text), options.width);
}

}  // namespace

std::string WriteText(const FlatTable& table, const TextOptions& options) {
  std::string out;
  if (Difference(table.total) != 0)
    AppendStyled(TotalText(table, options), options.color ? kStrong : "", out);
  if (options.heading)
    AppendStyled(Heading(options), options.color ? kFaint : "", out);
  for (const FlatRow& row : TopRows(table.rows, options.top))
    AppendStyled(RowText(row, options), StyleOf(row, options), out);
  return out;
}

}  // namespace heapprof
