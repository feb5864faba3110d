// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/sizes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/view/change.h"
#include "report/fit_name.h"
#include "report/named_lines.h"
#include "report/shown_columns.h"
#include "report/terminal_style.h"
#include "report/text_bar.h"

namespace heapprof {
namespace {

// Narrower lines have no bars.
constexpr size_t kWidthForBars = 100;
constexpr size_t kBarWidth = 16;

constexpr std::string_view kColors[] = {"\x1b[34m", "\x1b[33m", "\x1b[36m",
                                        "\x1b[31m", "\x1b[35m", "\x1b[32m"};

// Returns the colour of SizeTable::functions[index]; empty for all others.
std::string_view ColorOf(size_t index) {
  return index < std::size(kColors) ? kColors[index] : std::string_view();
}

std::string_view ColorOf(const SizeTable& table, std::string_view function) {
  const auto found = std::ranges::find(table.functions, function);
  return found == table.functions.end()
             ? std::string_view()
             : ColorOf(static_cast<size_t>(found - table.functions.begin()));
}

std::string Colored(std::string_view text, std::string_view color) {
  return color.empty() ? std::string(text)
                       : fmt::format("{}{}{}", color, text, kPlain);
}

// Colours each column of a bar for the function that holds its middle.
std::string ColoredBar(std::string_view bar, const SizeRow& row) {
  constexpr size_t kBytes = std::string_view("█").size();
  const size_t columns = std::min(bar.size(), bar.find(' ')) / kBytes;
  double all = 0;
  for (const double part : row.parts) all += std::max(0.0, part);
  std::string text;
  size_t drawn = 0;
  double sum = 0;
  for (size_t i = 0; i < row.parts.size() && all > 0; ++i) {
    sum += std::max(0.0, row.parts[i]);
    const auto end = static_cast<size_t>(
        std::lround(sum / all * static_cast<double>(columns)));
    if (end <= drawn) continue;
    // The last part is that of all other functions.
    text += Colored(bar.substr(drawn * kBytes, (end - drawn) * kBytes),
                    i + 1 < row.parts.size() ? ColorOf(i) : std::string_view());
    drawn = end;
  }
  return text.append(bar.substr(drawn * kBytes));
}

// Returns the `top` rows with the largest values, in the order of the table.
std::vector<SizeRow> LargestRows(std::vector<SizeRow> rows, size_t top) {
  if (top == 0 || rows.size() <= top) return rows;
  std::ranges::stable_sort(rows, std::greater(), [](const SizeRow& row) {
    return std::abs(Difference(row.sum));
  });
  rows.resize(top);
  std::ranges::sort(rows, {}, &SizeRow::size);
  return rows;
}

// The cells before the function: the size, what is held, its share, the objects
// and the samples.
using SizeCells = std::array<std::string, 5>;

SizeCells SizeHeadings(const RowsOptions& options) {
  return {"size", options.is_comparison ? "change" : "held", "share", "objects",
          "samples"};
}

SizeCells CellsOf(const SizeRow& row, const RowsOptions& options) {
  std::string samples = options.is_exact ? "exact" : "-";
  if (row.samples) samples = fmt::format("{:.0f}", BothSides(*row.samples));
  return {row.size == 0 ? "?" : FormatSize(row.size),
          FormatCell(WholeChange(row.sum), options.unit),
          FormatShare(row.percent), FormatValue(row.objects, Unit::kObjects),
          std::move(samples)};
}

// Where the parts of a line that have colours begin.
struct LineParts {
  std::string bar = {};  // empty if there are no bars
  size_t bar_start = 0;
  size_t name_start = 0;
};

// Colours the lines of the rows. The first line and the first of `parts` are
// those of the headings. Names were fitted before, because escape sequences
// have no width.
std::string ColoredText(std::string_view text,
                        const std::vector<LineParts>& parts,
                        const std::vector<SizeRow>& rows,
                        const SizeTable& table) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    const size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (i > 0) {
      const auto& [bar, bar_start, name_start] = parts[i];
      const SizeRow& row = rows[i - 1];
      if (name_start < line.size())
        line =
            line.substr(0, name_start) +
            Colored(line.substr(name_start), ColorOf(table, row.top_function));
      line.replace(bar_start, bar.size(), ColoredBar(bar, row));
    }
    out += line + '\n';
  }
  return out;
}

}  // namespace

std::string WriteSizes(const SizeTable& table, const RowsOptions& options) {
  if (table.rows.empty()) return "";
  double largest = 0;
  size_t longest = 0;
  for (const SizeRow& row : table.rows) {
    largest = std::max(largest, Difference(row.sum));
    longest = std::max(longest, Columns(row.top_function));
  }
  // On a terminal, numbers without samples are exact.
  const bool has_samples = !options.is_exact || options.width == 0;
  const std::array<size_t, std::tuple_size_v<SizeCells>> widths = {
      11, 11, 7, 11, has_samples ? size_t{9} : 0};
  constexpr size_t kShare = 2, kObjects = 3, kSamples = 4;
  constexpr size_t kDispensable[] = {kSamples, kObjects, kShare};
  const std::vector<bool> shown =
      ShownColumns(widths, kDispensable, 1 + std::min(longest, kReadableName),
                   options.width);
  const bool has_bars = options.width >= kWidthForBars;
  NamedLines lines;
  std::vector<LineParts> parts;
  const auto add = [&](const SizeCells& cells, double bar,
                       std::string_view function) {
    LineParts& part = parts.emplace_back();
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (shown[i]) AppendFormat(line, "{:>{}} ", cells[i], widths[i] - 1);
      if (i != kShare || !has_bars) continue;
      part.bar = TextBar(bar, largest, kBarWidth);
      part.bar_start = line.size() + 1;
      line += ' ' + part.bar + ' ';
    }
    line += ' ';
    part.name_start = line.size();
    lines.Add(std::move(line), function);
  };
  add(SizeHeadings(options), 0, "most by");
  const std::vector<SizeRow> rows = LargestRows(table.rows, options.top);
  for (const SizeRow& row : rows)
    add(CellsOf(row, options), Difference(row.sum), row.top_function);
  const std::string text = std::move(lines).Finish(options.width);
  return options.color ? ColoredText(text, parts, rows, table) : text;
}

std::string MeanSizesText(const SizeTable& table) {
  if (table.mean_percent <= 0) return "";
  const std::string share = FormatShare(table.mean_percent);
  return fmt::format(
      "{}only the mean size of the objects of each stack is known",
      share == "100%" ? "" : fmt::format("for {} of the total, ", share));
}

}  // namespace heapprof
