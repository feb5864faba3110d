// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/top_rows.h"
#include "heapprof/view/change.h"
#include "heapprof/view/object_sizes.h"
#include "report/fit_name.h"
#include "report/shown_columns.h"
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

constexpr size_t kSizeWidth = 10;

// The columns before the names.
enum Column : uint8_t {
  kSelf,
  kShare,
  kSum,
  kCallees,
  kCalleesShare,
  kSize,
  kError,
  kSamples
};

// Returns which columns are shown. On a narrow terminal, the value to which the
// error belongs remains, and without errors both.
std::vector<bool> ColumnsOf(const TextOptions& options) {
  constexpr size_t kUsualPlace = 30;
  const size_t for_places = options.has_places ? kUsualPlace : 0;
  const bool has_sizes =
      options.has_sizes &&
      !IsNarrow(options.width - std::min(options.width, for_places));
  std::vector<size_t> widths = {9, 7, 7, 9, 7, has_sizes ? kSizeWidth + 1 : 0};
  std::vector<size_t> dispensable = {kSize, kSum, kShare, kCalleesShare};
  if (options.error_bars) {
    widths.insert(widths.end(), {9, 8});
    dispensable.insert(dispensable.begin() + 2, kSamples);
    dispensable.push_back(options.describes_cumulative ? kSelf : kCallees);
  }
  constexpr size_t kReadablePlace = 11;  // with the blank before it
  const size_t names =
      kReadableName + (options.has_places ? kReadablePlace : 0);
  std::vector<bool> shown =
      ShownColumns(widths, dispensable, names, options.width);
  if (!options.error_bars) shown.insert(shown.end(), 2, false);
  return shown;
}

// Returns the headings of the columns that Numbers() writes, and of the names.
std::string HeadingLine(const TextOptions& options,
                        const std::vector<bool>& has) {
  std::string text;
  if (has[kSelf]) text += "    self ";
  if (has[kShare]) text += " share ";
  if (has[kSum]) text += "   sum ";
  if (has[kCalleesShare])
    text += " with callees   ";
  else if (has[kCallees])
    text += "     cum ";
  if (has[kSize]) text += " mean size ";
  if (has[kError]) text += "   error ";
  if (has[kSamples]) text += "  n_eff ";
  return text += options.noun;
}

const Change& Described(const FlatRow& row, const TextOptions& options) {
  return options.describes_cumulative ? row.cumulative : row.flat;
}

std::string SizeText(const FlatRow& row, const TextOptions& options) {
  const Change& objects =
      options.describes_cumulative ? row.cumulative_objects : row.flat_objects;
  const auto size =
      MeanObjectSize(Difference(Described(row, options)), Difference(objects));
  return size ? FormatCell(*size, Unit::kMegabytes) : "";
}

std::string ErrorText(const FlatRow& row, const TextOptions& options) {
  const ErrorBars& bars = *options.error_bars;
  if (bars.is_exact()) return "exact";
  const Change& change = Described(row, options);
  const auto interval = bars.Of(change);
  return interval ? FormatError(Difference(change), *interval, options.unit)
                  : "-";
}

std::string SamplesText(const FlatRow& row, const TextOptions& options) {
  const ErrorBars& bars = *options.error_bars;
  if (bars.is_exact()) return "-";
  const auto samples = bars.Samples(Described(row, options));
  return samples ? fmt::format("{:.0f}", *samples) : "-";
}

// Appends a number, right-aligned, and a blank. fmt takes ten times as long,
// which would be a sixth of the time of a report that an index names.
void AppendNumber(std::string_view number, size_t width, std::string& out) {
  out.append(width - std::min(width, number.size()), ' ');
  out += number;
  out += ' ';
}

std::string Numbers(const FlatRow& row, const TextOptions& options,
                    const std::vector<bool>& has) {
  constexpr size_t kValueWidth = 8;
  constexpr size_t kPercentWidth = 6;
  std::string text;
  const auto add_value = [&](const Change& change) {
    AppendNumber(FormatValue(WholeChange(change), options.unit), kValueWidth,
                 text);
  };
  const auto add_percent = [&](double percent) {
    AppendNumber(FormatPercent(percent), kPercentWidth, text);
  };
  if (has[kSelf]) add_value(row.flat);
  if (has[kShare]) add_percent(row.flat_percent);
  if (has[kSum]) add_percent(row.running_percent);
  if (has[kCallees]) add_value(row.cumulative);
  if (has[kCalleesShare]) add_percent(row.cumulative_percent);
  if (has[kSize]) AppendNumber(SizeText(row, options), kSizeWidth, text);
  if (has[kError]) text += fmt::format("{:>8} ", ErrorText(row, options));
  if (has[kSamples]) AppendNumber(SamplesText(row, options), 7, text);
  return text;
}

// Returns the names of the rows, as they fit. Without a limit on the width, a
// table may have a million rows, and does not need this.
std::vector<std::string> ShortNames(std::span<const FlatRow> rows,
                                    const TextOptions& options,
                                    const std::vector<bool>& has) {
  if (options.width == 0) return {};
  std::vector<NameInLine> names;
  for (const FlatRow& row : rows)
    names.push_back({row.name, Columns(Numbers(row, options, has))});
  return FitNames(names, options.width,
                  options.has_places ? FitNameAndPlace : FitName);
}

}  // namespace

std::string WriteText(const FlatTable& table, const TextOptions& options) {
  std::string out;
  if (Difference(table.total) != 0)
    AppendStyled(TotalText(table, options), options.color ? kStrong : "", out);
  const std::vector<bool> columns = ColumnsOf(options);
  if (options.heading)
    AppendStyled(HeadingLine(options, columns), options.color ? kFaint : "",
                 out);
  const std::span<const FlatRow> rows = TopRows(table.rows, options.top);
  const std::vector<std::string> names = ShortNames(rows, options, columns);
  for (size_t i = 0; i < rows.size(); ++i)
    AppendStyled(Numbers(rows[i], options, columns) +
                     (names.empty() ? Printable(rows[i].name) : names[i]),
                 StyleOf(rows[i], options), out);
  return out;
}

}  // namespace heapprof
