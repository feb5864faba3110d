// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_parts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/units.h"
#include "report/change_text.h"
#include "report/field_writer.h"
#include "report/fit_name.h"
#include "report/shown_columns.h"
#include "report/story_text.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

const std::string kIndent(kDetailIndent, ' ');
const std::string kGap(3, ' ');
const std::string kCellGap(2, ' ');

using DumpsOfSides = Sides<std::vector<ComparedDump>>;

struct SideHeader {
  std::string path;
  std::string program;
  std::string time;  // when the dump was written; may be empty
  std::string total;
};

void AppendLine(std::string_view line, std::string_view line_style,
                const TextStyle& style, std::string& out) {
  AppendStyled(line, style.color ? line_style : "", out);
}

// Returns the path of the first dump of a side, for a line of `width`
// characters of which `used` are taken already. If the path is too long, leaves
// out its folder, unless the dumps of both sides have the same file name.
std::string PathText(const DumpsOfSides& dumps, Side side, size_t used,
                     size_t width) {
  const std::string& path = dumps[side].front().path;
  const std::string more = MoreDumps(dumps[side]);
  used += Columns(more);
  const auto& [now, base] = dumps;
  const bool differ = !now.empty() && !base.empty() &&
                      BaseName(now.front().path) != BaseName(base.front().path);
  const bool is_long = width != 0 && used + Columns(path) > width;
  return FitName(is_long && differ ? BaseName(path) : path, used, width) + more;
}

// Joins what is not empty, with gaps.
std::string Joined(std::string_view first, std::string_view second) {
  return fmt::format("{}{}{}", first,
                     first.empty() || second.empty() ? "" : kGap, second);
}

SideHeader HeaderOf(const Comparison& comparison, const DumpsOfSides& dumps,
                    Side side, size_t width) {
  std::string path = fmt::format(
      "{:<{}}", side == Side::kBase ? "before" : "after", kIndent.size());
  path += PathText(dumps, side, path.size(), width);
  const ComparedDump& dump = dumps[side].front();
  return {.path = std::move(path),
          .program = Printable(BaseName(dump.program)) + BuildText(dump),
          .time = dump.time_seconds == 0 ? "" : UtcTime(dump.time_seconds),
          .total = SideText(comparison, side)};
}

std::vector<size_t> ColumnWidths(std::span<const TableRow> rows) {
  std::vector<size_t> widths;
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), row.cells.size()));
    for (size_t i = 0; i < row.cells.size(); ++i)
      widths[i] = std::max(widths[i], Columns(row.cells[i]));
  }
  return widths;
}

// Returns which columns are shown, of those that are as wide as `widths`.
std::vector<bool> ShownCells(std::span<const TableRow> rows,
                             std::span<const size_t> dispensable,
                             std::vector<size_t> widths, size_t line) {
  for (size_t& width : widths) width += kCellGap.size();
  size_t name = 0;
  for (const TableRow& row : rows)
    if (!row.is_detail) name = std::max(name, Columns(row.name));
  return ShownColumns(widths, dispensable, std::min(name, kReadableName), line);
}

// Returns the cells of a row in the columns that are shown, padded to `widths`,
// with a gap after each cell.
std::string AlignedCells(const TableRow& row, size_t numbers,
                         std::span<const size_t> widths,
                         const std::vector<bool>& shown) {
  std::string line;
  for (size_t i = 0; i < widths.size(); ++i) {
    if (!shown[i]) continue;
    const std::string_view cell =
        i < row.cells.size() ? std::string_view(row.cells[i]) : "";
    const std::string padding(widths[i] - Columns(cell), ' ');
    if (i < numbers) line += padding;
    line += cell;
    if (i >= numbers) line += padding;
    line += kCellGap;
  }
  return line;
}

// Breaks a text after semicolons into lines that fit, with the indent, into
// `width` characters; 0 = any width.
std::vector<std::string> LinesOf(std::string_view text, size_t width) {
  constexpr std::string_view kBreak = "; ";
  std::vector<std::string> lines = {""};
  while (!text.empty()) {
    const size_t end = text.find(kBreak);
    const std::string_view part = text.substr(0, end);
    std::string& line = lines.back();
    // A semicolon may have to follow the part.
    const size_t used = kIndent.size() + Columns(line) + kBreak.size();
    if (line.empty()) {
      line = part;
    } else if (width != 0 && used + Columns(part) >= width) {
      line += ';';
      lines.emplace_back(part);
    } else {
      (line += kBreak) += part;
    }
    text.remove_prefix(end == text.npos ? text.size() : end + kBreak.size());
  }
  return lines;
}

}  // namespace

void AppendParagraph(std::string_view text, std::string_view line_style,
                     const TextStyle& style, std::string& out) {
  FieldWriter writer(style.width);
  writer.Paragraph(text);
  std::string lines = std::move(writer).Finish();
  lines.pop_back();
  AppendLine(lines, line_style, style, out);
}

void AppendStory(const std::vector<StoryChain>& story,
                 const Comparison& comparison, const TextStyle& style,
                 std::string& out) {
  for (const std::string& line :
       StoryLines(story, {.is_comparison = true,
                          .unit = UnitOf(comparison.metric),
                          .columns = style.width}))
    out += line + '\n';
  if (!story.empty()) out += '\n';
}

std::string SideText(const Comparison& comparison, Side which) {
  const ComparedSide& side = comparison.sides[which];
  const double total = comparison.total.growth[which].mean.value;
  const bool counts_objects = IsObjectCount(comparison.metric);
  std::string text =
      counts_objects ? FormatAmount(total, Unit::kObjects)
                     : FormatWithInterval(total, side.total, Unit::kMegabytes);
  if (side.is_exact && !counts_objects && side.total.lower == side.total.upper)
    text += " (exact)";
  if (side.filtered_out != 0)
    text += " of " +
            FormatAmount(total + side.filtered_out, UnitOf(comparison.metric));
  text += IsAccumulated(comparison.metric) ? " allocated" : " live";
  if (side.runs > 1) text += fmt::format(", mean of {} dumps", side.runs);
  if (side.is_exact) return text + "; without sampling";
  if (side.period == 0) return text + "; unknown sampling period";
  text += fmt::format("; one sample per {}", FormatSize(side.period));
  // As in "1.1×": a smaller factor would be shown as 1.
  constexpr double kLeastVariation = 1.05;
  const double variation = std::sqrt(side.dispersion);
  if (variation >= kLeastVariation && !counts_objects)
    text += fmt::format("; run-to-run variation: {:.2g}× sampling error",
                        variation);
  return text;
}

// If both header lines have room, each program and time is on the line of its
// dump's path, otherwise on a line below it, or on two lines.
void AppendSides(const Comparison& comparison, const DumpsOfSides& dumps,
                 const TextStyle& style, std::string& out) {
  std::vector<SideHeader> headers;
  for (const Side side : {Side::kBase, Side::kNew})
    if (!dumps[side].empty())
      headers.push_back(HeaderOf(comparison, dumps, side, style.width));
  const auto fits = [&](std::string_view line) {
    return style.width == 0 || Columns(line) <= style.width;
  };
  const bool is_short =
      std::ranges::all_of(headers, [&](const SideHeader& header) {
        return fits(Joined(header.path, Joined(header.program, header.time)));
      });
  for (const auto& [path, program, time, total] : headers) {
    const std::string details = Joined(program, time);
    std::vector<std::string> lines = {path, kIndent + details};
    if (is_short)
      lines = {Joined(path, details)};
    else if (details.empty())
      lines.pop_back();
    else if (!fits(lines.back()))
      lines = {path, kIndent + program, kIndent + time};
    for (const std::string& line : lines) AppendLine(line, kStrong, style, out);
    for (const std::string& line : LinesOf(total, style.width))
      AppendLine(kIndent + line, "", style, out);
  }
}

std::string AmountCell(const Comparison& comparison, double value) {
  return FormatCell(value, UnitOf(comparison.metric));
}

std::array<std::string, 3> ChangeCells(const Comparison& comparison,
                                       const ComparisonEntry& entry) {
  const Growth& growth = entry.growth;
  return {AmountCell(comparison, growth.base.mean.value),
          AmountCell(comparison, growth.now.mean.value),
          ChangeText(entry.change, entry.interval, UnitOf(comparison.metric))};
}

std::array<std::string, 3> MarkedChangeCells(const Comparison& comparison,
                                             const ComparisonEntry& entry) {
  std::array<std::string, 3> cells = ChangeCells(comparison, entry);
  if (entry.is_new) cells[0] = "new";
  if (entry.is_gone) cells[1] = "gone";
  return cells;
}

void AppendTable(std::span<const TableRow> rows, size_t numbers,
                 std::span<const size_t> dispensable, const TextStyle& style,
                 std::string& out) {
  const std::vector<size_t> widths = ColumnWidths(rows);
  const std::vector<bool> shown =
      ShownCells(rows, dispensable, widths, style.width);
  std::vector<std::string> lines;
  std::vector<std::string> names;
  for (const TableRow& row : rows) {
    lines.push_back(row.is_detail ? kIndent
                                  : AlignedCells(row, numbers, widths, shown));
    names.push_back(row.name);
  }
  AppendNames(names, style.width, lines);
  for (size_t i = 0; i < rows.size(); ++i) {
    const TableRow& row = rows[i];
    std::string& line = lines[i];
    const size_t used = Columns(line) + kCellGap.size() + Columns(row.detail);
    if (!row.detail.empty() && (style.width == 0 || used <= style.width))
      line += kCellGap + row.detail;
    AppendLine(line, row.style, style, out);
  }
}

}  // namespace heapprof
