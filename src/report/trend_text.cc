// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/report/next_commands.h"
#include "heapprof/report/trend.h"
#include "heapprof/view/group_rows.h"
#include "heapprof/view/units.h"
#include "report/comparison_parts.h"
#include "report/fit_name.h"
#include "report/story_text.h"
#include "report/terminal_style.h"
#include "report/trend_sentences.h"

namespace heapprof {
namespace {

// The first command, and the others if they fit into a line.
std::span<const std::string> ShownCommands(const TrendReport& report,
                                           size_t width) {
  const std::span<const std::string> all = report.commands;
  return RowsOfNextLines(all, width) == all.size()
             ? all
             : all.first(std::min<size_t>(all.size(), 1));
}

// Up to eight of the dumps, at even distances from the first to the last one,
// as bars from 0 to the peak.
std::string Sparkline(const TrendRow& row) {
  constexpr std::string_view kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const size_t count = std::min(std::size(kBars), row.points.size());
  std::string line;
  const size_t steps = std::max<size_t>(1, count) - 1;
  for (size_t i = 0; i < count; ++i) {
    const size_t at = steps == 0 ? 0 : i * (row.points.size() - 1) / steps;
    const double bytes = row.points[at].bytes.value;
    const double level =
        row.peak > 0 ? std::ceil(bytes / row.peak * std::size(kBars)) : 0;
    line += kBars[static_cast<size_t>(std::max(1.0, level)) - 1];
  }
  return line;
}

class TrendText {
 public:
  TrendText(const TrendReport& report, const TrendTextOptions& options)
      : report_(report),
        options_(options),
        style_{.width = options.width, .color = options.color} {}

  std::string Write() && {
    std::vector<const TrendSeries*> lines;
    size_t tables = 0;
    for (const TrendSeries& series : report_.series) {
      const bool is_short = options_.shortens_quiet &&
                            report_.series.size() > 1 && !IsSuspect(series);
      if (is_short || tables == options_.most_tables) {
        lines.push_back(&series);
        continue;
      }
      if (!out_.empty()) out_ += '\n';
      AddSeries(series);
      ++tables;
    }
    if (!lines.empty()) AddOthers(lines, tables > 0);
    if (report_.limit && report_.series.size() > 1) AddSummary();
    const auto commands = ShownCommands(report_, options_.width);
    if (!commands.empty()) out_ += '\n';
    for (const std::string& line : NextLines(commands, options_.width))
      out_ += line + '\n';
    return std::move(out_);
  }

 private:
  void AddParagraph(std::string_view text, std::string_view style) {
    AppendParagraph(text, style, style_, out_);
  }

  // The verdicts of the single series may have scrolled away.
  void AddSummary() {
    out_ += '\n';
    AddParagraph(
        TrendHeadline(report_),
        report_.WorstVerdict() == Verdict::kRegression ? kStrongRed : kStrong);
  }

  void AddSeries(const TrendSeries& series) {
    AddParagraph(fmt::format("{}: {}", Printable(series.name),
                             TrendSentence(series.table)),
                 kStrong);
    std::vector<StoryChain> story = series.story;
    if (story.size() > options_.most_sentences)
      story.resize(options_.most_sentences);
    for (const std::string& line :
         StoryLines(story, {.is_comparison = true, .columns = style_.width}))
      out_ += line + '\n';
    if (series.judgement) {
      const std::string text = JudgementSentence(series, *report_.limit);
      AddParagraph(text, series.judgement->verdict == Verdict::kRegression
                             ? kStrongRed
                             : kStrong);
    }
    AddParagraph(DumpsText(series.table), {});
    out_ += '\n';
    AddTable(series.table);
  }

  // On a narrow terminal, names have a line of their own.
  bool HasNameLines() const { return IsNarrow(style_.width); }

  // Else there is room for one rate only.
  bool IsWide() const {
    constexpr size_t kWide = 120;
    return style_.width == 0 || style_.width >= kWide;
  }

  std::vector<std::string> RateHeadings(const TrendTable& table) const {
    std::vector<std::string> cells = {std::string(RateHeading(table.axis))};
    if (IsWide())
      for (const TrendAxis axis : table.other_axes)
        cells.emplace_back(RateHeading(axis));
    return cells;
  }

  std::vector<std::string> RateCells(const TrendRow& row) const {
    std::vector<std::string> cells = {RateCell(row, row.trend.all)};
    if (IsWide())
      for (const TrendRate& rate : row.other_rates)
        cells.push_back(RateCell(row, rate.slope));
    return cells;
  }

  void AddTable(const TrendTable& table) {
    std::vector<TableRow> rows;
    std::vector<std::string> headings = RateHeadings(table);
    const size_t rates = headings.size();
    headings.insert(headings.end(), {"first", "last", "peak", "course"});
    AddCells(std::move(headings), "trend", table.heading, kFaint, rows);
    const auto add = [&](const TrendRow& row, std::string_view style) {
      std::vector<std::string> cells = RateCells(row);
      cells.insert(cells.end(),
                   {FormatBytes(row.first()), FormatBytes(row.last()),
                    FormatBytes(row.peak), Sparkline(row)});
      AddCells(std::move(cells), CourseName(table, row), row.name, style, rows);
    };
    add(table.total, kStrong);
    std::vector<const TrendRow*> all;
    for (const TrendRow& row : table.rows) all.push_back(&row);
    const size_t shown = KeepOtherGroup(
        all, options_.rows,
        [](const TrendRow* row) { return std::string_view(row->name); });
    for (const TrendRow* row : std::span(all).first(shown))
      add(*row,
          row->label == TrendLabel::kGrowing ? kStrongRed : std::string_view());
    constexpr size_t kAmounts = 3;
    const size_t first = rates, peak = rates + 2, course = rates + kAmounts;
    const std::array dispensable = {course, peak, first};
    AppendTable(rows, rates + kAmounts, dispensable, style_, out_);
    AddLeftOut(all.size() - shown, table.small);
  }

  // Says how many rows the table lacks. `small` are shown nowhere.
  void AddLeftOut(size_t more, size_t small) {
    const std::string limit = fmt::format("below {:g}% of the highest total",
                                          Percent(kLeastPeakShare, 1));
    if (more > 0)
      out_ += fmt::format(
          "and {} more; --top=0 shows all{}\n", more,
          small == 0 ? "" : fmt::format(" but {} {}", small, limit));
    else if (small > 0)
      out_ += fmt::format("and {} more {}\n", small, limit);
  }

  using Processes = std::span<const TrendSeries* const>;

  // Adds processes without tables: a sentence if none of them is worth a look,
  // and their lines.
  void AddOthers(Processes all, bool follows_tables) {
    if (follows_tables) out_ += '\n';
    const std::string sentence =
        QuietSentence(all, follows_tables ? " other" : "");
    if (!sentence.empty()) {
      AddParagraph(sentence, kStrong);
      if (options_.most_lines == 0) return;
      out_ += '\n';
    }
    AddProcesses(all);
  }

  // Adds one line for each process: how its total grows.
  void AddProcesses(Processes all) {
    const TrendAxis axis = all.front()->table.axis;
    const bool is_one_axis = std::ranges::all_of(
        all, [=](const TrendSeries* one) { return one->table.axis == axis; });
    std::vector<TableRow> rows;
    rows.push_back(
        {.cells = {is_one_axis ? std::string(RateHeading(axis)) : "rate",
                   "first", "last", "course", "trend"},
         .name = "process",
         .style = kFaint});
    const size_t count = std::clamp<size_t>(options_.most_lines, 1, all.size());
    for (const TrendSeries* series : all.first(count)) {
      const TrendRow& total = series->table.total;
      const std::string_view unit =
          is_one_axis ? "" : TrendAxisUnit(series->table.axis);
      rows.push_back(
          {.cells = {RateCell(total, total.trend.all, unit),
                     FormatBytes(total.first()), FormatBytes(total.last()),
                     Sparkline(total), std::string(CourseName(*series))},
           .name = series->name,
           .style = IsSuspect(*series) ? kStrongRed : std::string_view()});
    }
    constexpr size_t kNumbers = 3;
    constexpr size_t kFirst = 1, kCourse = 3;
    constexpr size_t kDispensable[] = {kCourse, kFirst};
    AppendTable(rows, kNumbers, kDispensable, style_, out_);
    if (all.size() > count)
      out_ += fmt::format(
          "and {}; --json has all\n",
          Counted(all.size() - count, "more process", "more processes"));
  }

  void AddCells(std::vector<std::string> cells, std::string_view label,
                const std::string& name, std::string_view style,
                std::vector<TableRow>& rows) const {
    if (!HasNameLines()) {
      cells.emplace_back(label);
      rows.push_back({.cells = std::move(cells), .name = name, .style = style});
      return;
    }
    rows.push_back({.cells = std::move(cells),
                    .name = std::string(label),
                    .style = style});
    rows.push_back({.name = name, .style = style, .is_detail = true});
  }

  const TrendReport& report_;
  const TrendTextOptions& options_;
  const TextStyle style_;
  std::string out_;
};

}  // namespace

void FitTrendText(const TrendReport& report, size_t lines,
                  TrendTextOptions& options) {
  // Lines of a process that are no rows, such as heading, headings and total;
  // lines of the list of other processes with one; an empty line, the prompt.
  const size_t own_lines = report.limit ? 11 : 9;
  constexpr size_t kListLines = 6, kOtherLines = 2, kLinesPerRow = 2;
  constexpr size_t kLinesOfTable = 14;
  const auto left = [lines](size_t used) {
    return lines - std::min(lines, used);
  };
  size_t tables =
      options.shortens_quiet && report.series.size() > 1
          ? static_cast<size_t>(std::ranges::count_if(report.series, IsSuspect))
          : report.series.size();
  options.most_tables = std::max<size_t>(1, lines / kLinesOfTable);
  tables = std::min(tables, options.most_tables);
  size_t used =
      kOtherLines +
      RowsOfNextLines(ShownCommands(report, options.width), options.width);
  if (tables < report.series.size()) used += kListLines;
  for (size_t i = 0; i < tables; ++i)
    used += own_lines +
            std::min(report.series[i].story.size(), options.most_sentences);
  options.rows = std::max<size_t>(
      1, left(used) / kLinesPerRow / std::max<size_t>(1, tables));
  for (size_t i = 0; i < tables; ++i)
    used += std::min(options.rows, report.series[i].table.rows.size()) *
            kLinesPerRow;
  options.most_lines = used > lines ? 0 : 1 + left(used);
}

std::string WriteTrendText(const TrendReport& report,
                           const TrendTextOptions& options) {
  return TrendText(report, options).Write();
}

std::string WriteTrendErrorText(std::string_view error) {
  return fmt::format("not judged: {}\n", Printable(error));
}

}  // namespace heapprof
