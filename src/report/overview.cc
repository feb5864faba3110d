// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/overview.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/profile/group_frames.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/report/next_commands.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/units.h"
#include "report/fit_name.h"
#include "report/overview_headings.h"
#include "report/story_text.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

// If the terminal has at least this many columns, the tables are side by side.
// The left table may be wider than the right one, because it has two more
// columns.
constexpr size_t kSideBySideWidth = 116;
constexpr size_t kTableGap = 3;
constexpr size_t kLeftPercent = 65;

constexpr size_t kRowsWithoutTerminal = 10;
constexpr size_t kFewestRows = 3;

// A line of text, and the style in which it will be shown. The text has no
// escape sequences yet, so that its width can be computed.
struct StyledLine {
  std::string text;
  std::string_view style = {};
};
using Lines = std::vector<StyledLine>;

std::string FormatTotal(const Overview& overview) {
  const Unit unit = UnitOf(overview.metric);
  if (overview.is_exact) return FormatAmount(overview.total, unit) + " (exact)";
  return FormatWithInterval(overview.total, overview.interval, unit);
}

std::string Headline(const Overview& overview) {
  std::string text =
      fmt::format("{} {}", FormatTotal(overview), MetricState(overview.metric));
  if (overview.objects)
    text += " in " + FormatAmount(*overview.objects, Unit::kObjects);
  if (SamplesEverything(overview.sampling_period))
    text += "; without sampling";
  else if (overview.sampling_period != 0)
    text += fmt::format("; one sample per {}",
                        FormatSize(overview.sampling_period));
  return text;
}

// Returns the headline, on two lines if it is wider than `columns`; 0 = any
// width.
std::vector<std::string> HeadLines(const Overview& overview, size_t columns) {
  std::string text = Headline(overview);
  const size_t semicolon = text.find("; ");
  if (columns == 0 || Columns(text) <= columns || semicolon == text.npos)
    return {std::move(text)};
  return {text.substr(0, semicolon + 1), text.substr(semicolon + 2)};
}

Lines HeaderOf(const Overview& overview, const OverviewLayout& layout) {
  constexpr std::string_view kBetween = "   ";
  std::string what;
  const auto add = [&](std::string_view part) {
    if (part.empty()) return;
    if (!what.empty()) what += kBetween;
    what += Printable(part);
  };
  const std::string time =
      overview.time_seconds == 0 ? "" : UtcTime(overview.time_seconds);
  add(BaseName(overview.program));
  const std::string more = layout.more_dumps == 0
                               ? ""
                               : fmt::format(" and {} more", layout.more_dumps);
  const std::string sum = more.empty() ? "" : "the sum of ";
  const size_t others = Columns(what + sum + more + time) + 2 * kBetween.size();
  const std::string dump =
      layout.columns == 0
          ? layout.dump
          : FitPath(layout.dump,
                    layout.columns - std::min(layout.columns - 1, others));
  add(sum + dump + more);
  Lines lines;
  if (layout.columns != 0 &&
      Columns(what) + kBetween.size() + time.size() > layout.columns)
    lines.push_back({std::exchange(what, ""), kStrong});
  add(time);
  if (!what.empty()) lines.push_back({what, kStrong});
  for (std::string& line : HeadLines(overview, layout.columns))
    lines.push_back({std::move(line), kStrong});
  if (overview.shown != overview.total)
    lines.push_back(
        {fmt::format("The filters leave {} of it.",
                     FormatAmount(overview.shown, UnitOf(overview.metric)))});
  return lines;
}

Lines StoryOf(const Overview& overview, const OverviewLayout& layout) {
  Lines lines;
  for (std::string& line : StoryLines(
           overview.story,
           {.unit = UnitOf(overview.metric), .columns = layout.columns})) {
    const double percent = overview.story[lines.size()].percent;
    lines.push_back({std::move(line), std::abs(percent) >= kMuch
                                          ? kStrong
                                          : std::string_view()});
  }
  return lines;
}

// The columns of one table: their names and contents.
struct TableForm {
  std::string_view columns_heading;
  // If sizes of objects are known, a column of them follows.
  bool has_sizes = true;
  std::string_view heading;
  std::string_view noun = "function";  // what a row stands for
  // False if rows must not be added up, because the value of a caller includes
  // that of its callees.
  bool has_sum = true;
  std::string (*columns)(const OverviewRow&, Unit) = nullptr;
};

std::string OwnColumns(const OverviewRow& row, Unit unit) {
  return fmt::format(
      "{:>10} {:>6} {:>13}", FormatCell(row.value(), unit),
      FormatShare(row.percent),
      row.cumulative_percent == 0 ? "" : FormatShare(row.cumulative_percent));
}

std::string NarrowOwnColumns(const OverviewRow& row, Unit unit) {
  return fmt::format("{:>10} {:>6}", FormatCell(row.value(), unit),
                     FormatShare(row.percent));
}

std::string AllocatingColumns(const OverviewRow& row, Unit) {
  return fmt::format("{:>6}", FormatShare(row.percent));
}

std::string CumulativeColumns(const OverviewRow& row, Unit unit) {
  return fmt::format("{:>12} {:>6}", FormatCell(row.value(), unit),
                     FormatShare(row.percent));
}

constexpr size_t kSizeColumn = 11;
// With less room for names, there is no such column.
constexpr size_t kNameBesideSizes = 24;

std::string SizeColumn(const OverviewRow& row) {
  const std::optional<double> size = MeanObjectSize(row);
  return fmt::format("{:>{}}", size ? FormatCell(*size, Unit::kMegabytes) : "",
                     kSizeColumn);
}

constexpr TableForm kOwnForm = {
    .columns_heading = "      self  share  with callees",
    .heading = kOwnHeading,
    .columns = &OwnColumns};
// If names had no room beside the columns of kOwnForm.
constexpr TableForm kNarrowOwnForm = {.columns_heading = "      self  share",
                                      .has_sizes = false,
                                      .heading = kOwnHeading,
                                      .columns = &NarrowOwnColumns};
constexpr TableForm kCumulativeForm = {.columns_heading = "with callees  share",
                                       .heading = "Functions",
                                       .has_sum = false,
                                       .columns = &CumulativeColumns};
constexpr TableForm kGroupForm = {.columns_heading = "      held  share",
                                  .heading = "Groups",
                                  .noun = "group",
                                  .columns = &NarrowOwnColumns};
constexpr TableForm kAllocatingForm = {.columns_heading = "  self",
                                       .has_sizes = false,
                                       .heading = kAllocatingHeading,
                                       .columns = &AllocatingColumns};

// What no group has is always shown.
bool HasUnassigned(const OverviewTable& table) {
  return table.unassigned.value() != 0 || table.unassigned.name == kOtherGroup;
}

// Returns how many functions get a row. If `top` is given, it decides;
// otherwise, the rows for the other functions and for what is unassigned are
// among the `rows`, too.
size_t FunctionsShown(const OverviewTable& table, std::optional<size_t> top,
                      size_t rows) {
  const size_t functions = table.rows.size();
  if (top) return *top == 0 ? functions : std::min(*top, functions);
  const size_t room = rows - (HasUnassigned(table) ? 1 : 0);
  return functions > room ? room - 1 : functions;
}

Lines TableLines(const OverviewTable& table, const TableForm& form, Unit unit,
                 size_t count, size_t width) {
  const bool has_sizes = form.has_sizes && KnowsObjectSizes(table);
  std::string heading(form.columns_heading);
  if (has_sizes) heading += fmt::format("{:>{}}", "mean size", kSizeColumn);
  heading += "  ";
  const bool fits = width == 0 || heading.size() + form.heading.size() <= width;
  heading += fits ? form.heading
                  : FitName(form.heading.substr(0, form.heading.find(',')),
                            heading.size(), width);
  Lines lines = {{std::move(heading), kStrong}};
  std::vector<std::string> names;
  const auto add = [&](const OverviewRow& row, std::string_view style,
                       bool has_value = true) {
    std::string columns = form.columns(row, unit);
    if (has_sizes) columns += SizeColumn(row);
    columns += "  ";
    if (!has_value) columns.assign(columns.size(), ' ');
    names.push_back(row.name);
    lines.push_back({std::move(columns), style});
  };
  for (const OverviewRow& row : std::span(table.rows).first(count))
    add(row, std::abs(row.percent) >= kMuch ? kStrong : std::string_view());
  if (table.rows.size() > count) {
    OverviewRow rest = SumOfRows(table, count);
    rest.name =
        Counted(table.rows.size() - count, fmt::format("more {}", form.noun));
    add(rest, kFaint, form.has_sum);
  }
  if (HasUnassigned(table)) add(table.unassigned, kFaint);
  std::vector<NameInLine> in_lines;
  for (size_t i = 0; i < names.size(); ++i)
    in_lines.push_back({names[i], lines[1 + i].text.size()});
  names = FitNames(in_lines, width);
  for (size_t i = 0; i < names.size(); ++i) lines[1 + i].text += names[i];
  return lines;
}

class OverviewText {
 public:
  explicit OverviewText(bool color) : color_(color) {}

  void Add(const Lines& lines) {
    for (const StyledLine& line : lines) AddLine(Styled(line));
  }
  void Blank() { out_ += '\n'; }

  // Adds two tables side by side. The lines of `left` are padded to `width`
  // characters.
  void AddSideBySide(const Lines& left, size_t width, const Lines& right) {
    for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
      const StyledLine first = i < left.size() ? left[i] : StyledLine();
      std::string line = Styled(first);
      if (i < right.size()) {
        line.append(width - std::min(width, Columns(first.text)), ' ');
        line += Styled(right[i]);
      }
      AddLine(line);
    }
  }

  std::string Finish() && { return std::move(out_); }

 private:
  std::string Styled(const StyledLine& line) const {
    if (!color_ || line.style.empty() || line.text.empty()) return line.text;
    return fmt::format("{}{}{}", line.style, line.text, kPlain);
  }
  void AddLine(std::string_view line) {
    out_ += line;
    out_ += '\n';
  }

  bool color_;
  std::string out_;
};

// Returns how many rows fit on the screen. `other_lines` is the number of lines
// that are not rows.
size_t RowsOnScreen(const OverviewLayout& layout, size_t other_lines) {
  return layout.rows - std::min(layout.rows, other_lines);
}

struct RowsOfTables {
  size_t upper = kRowsWithoutTerminal;
  size_t lower = kRowsWithoutTerminal;
};

// Divides the rows between two tables, one below the other: a row goes to the
// table whose next function holds more. Functions of the upper one, which say
// who holds memory, count twice.
RowsOfTables DivideRows(const OverviewTable& upper, const OverviewTable& lower,
                        size_t rows) {
  // For a function, the others and what is unassigned.
  const auto fewest = [](const OverviewTable& table) {
    return std::min<size_t>(2, table.rows.size()) +
           (HasUnassigned(table) ? 1 : 0);
  };
  const auto next_share = [](const OverviewTable& table, size_t its_rows) {
    const size_t shown = FunctionsShown(table, std::nullopt, its_rows);
    return shown < table.rows.size() ? std::abs(table.rows[shown].percent) : -1;
  };
  RowsOfTables divided = {fewest(upper), fewest(lower)};
  while (divided.upper + divided.lower < rows) {
    // Of equal shares, the table with fewer rows is next.
    if (std::pair(2 * next_share(upper, divided.upper), divided.lower) >=
        std::pair(next_share(lower, divided.lower), divided.upper))
      ++divided.upper;
    else
      ++divided.lower;
  }
  return divided;
}

struct TableInForm {
  const OverviewTable& table;
  TableForm form;
};

// The table of the functions of the user's own code, or else of all.
TableInForm FunctionTable(const Overview& overview, size_t columns) {
  const bool has_own = !overview.own.rows.empty();
  TableInForm shown = {has_own ? overview.own : overview.cumulative,
                       has_own ? kOwnForm : kCumulativeForm};
  if (columns == 0) return shown;
  const size_t used = shown.form.columns_heading.size() + 2;
  if (used + kSizeColumn + kNameBesideSizes > columns)
    shown.form.has_sizes = false;
  if (has_own && used + kNarrowestName > columns) shown.form = kNarrowOwnForm;
  return shown;
}

// Returns the groups, of which [other] comes last.
OverviewTable GroupTable(const Overview& overview) {
  OverviewTable table = overview.groups;
  const auto other =
      std::ranges::find(table.rows, kOtherGroup, &OverviewRow::name);
  if (other == table.rows.end()) return table;
  table.unassigned = std::move(*other);
  table.rows.erase(other);
  return table;
}

// The groups, if there are any, take the place of the functions that allocate.
std::pair<TableInForm, TableInForm> TablesOf(const Overview& overview,
                                             const OverviewTable& groups,
                                             size_t columns) {
  const TableInForm functions = FunctionTable(overview, columns);
  if (overview.groups.rows.empty())
    return {functions, {overview.allocating, kAllocatingForm}};
  return {{groups, kGroupForm}, functions};
}

void AddTables(const Overview& overview, const OverviewLayout& layout,
               size_t other_lines, OverviewText& out) {
  constexpr size_t kHeading = 1;
  const Unit unit = UnitOf(overview.metric);
  const OverviewTable groups = GroupTable(overview);
  const auto [upper, lower] = TablesOf(overview, groups, layout.columns);
  const auto lines = [&](const TableInForm& shown, size_t rows, size_t width) {
    return TableLines(shown.table, shown.form, unit,
                      FunctionsShown(shown.table, layout.top, rows), width);
  };
  if (layout.columns < kSideBySideWidth) {
    RowsOfTables rows;
    if (layout.rows != 0) {
      const size_t room = RowsOnScreen(layout, other_lines + 2 * kHeading + 1);
      // The total must stay on the screen.
      if (room < 2 * kFewestRows && !layout.top) {
        const size_t its_rows = RowsOnScreen(layout, other_lines + kHeading);
        out.Add(lines(upper, std::max(kFewestRows, its_rows), layout.columns));
        return;
      }
      // Values with callees say nothing about what is not shown.
      rows = upper.form.has_sum && lower.form.has_sum
                 ? DivideRows(upper.table, lower.table, room)
                 : RowsOfTables{room / 2, room / 2};
    }
    out.Add(lines(upper, rows.upper, layout.columns));
    out.Blank();
    out.Add(lines(lower, rows.lower, layout.columns));
    return;
  }
  const size_t rows =
      layout.rows == 0
          ? kRowsWithoutTerminal
          : std::max(kFewestRows, RowsOnScreen(layout, other_lines + kHeading));
  const Lines left = lines(upper, rows, layout.columns * kLeftPercent / 100);
  size_t width = kTableGap;
  for (const StyledLine& line : left)
    width = std::max(width, Columns(line.text) + kTableGap);
  out.AddSideBySide(left, width, lines(lower, rows, layout.columns - width));
}

}  // namespace

std::string WriteOverview(const Overview& overview,
                          const OverviewLayout& layout) {
  OverviewText out(layout.color);
  const Lines header = HeaderOf(overview, layout);
  Lines next;
  for (std::string& line : NextLines(layout.commands, layout.columns))
    next.push_back({std::move(line)});
  // The number of lines apart from header, tables and commands: two blank
  // lines, the prompt of the shell, and one message on standard error.
  constexpr size_t kOtherLines = 4;
  out.Add(header);
  out.Blank();
  const Lines story = StoryOf(overview, layout);
  if (!story.empty()) {
    out.Add(story);
    out.Blank();
  }
  if (!overview.allocating.rows.empty()) {
    const size_t story_lines = story.empty() ? 0 : story.size() + 1;
    AddTables(overview, layout,
              header.size() + story_lines + kOtherLines +
                  RowsOfNextLines(layout.commands, layout.columns),
              out);
    out.Blank();
  }
  out.Add(next);
  return std::move(out).Finish();
}

}  // namespace heapprof
