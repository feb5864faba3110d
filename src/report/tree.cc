// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "heapprof/view/change.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

// The columns before the names. A narrow terminal has no room for all of them.
class TreeColumns {
 public:
  static constexpr size_t kValueWidth = 10;
  static constexpr size_t kShareWidth = 6;

  explicit TreeColumns(size_t width) : has_running_(!IsNarrow(width)) {
    has_calls_ = HasRoom(width);
    if (!has_calls_) has_flat_ = HasRoom(width);
  }

  bool has_flat() const { return has_flat_; }
  bool has_running() const { return has_running_; }
  // True if callers and callees have columns of their own. Otherwise, they
  // share those of the cumulative values.
  bool has_calls() const { return has_calls_; }

  // Of all columns, with the blank after each.
  size_t width() const {
    return (has_flat_ ? kCells : 0) + (has_running_ ? kShareWidth + 1 : 0) +
           kCells + (has_calls_ ? kCalls.size() : 0);
  }

  std::string Headings() const {
    return fmt::format("{}{}{:>{}} {:>{}} {}+ context\n",
                       has_flat_
                           ? fmt::format("{:>{}} {:>{}} ", "flat", kValueWidth,
                                         "flat%", kShareWidth)
                           : "",
                       has_running_ ? "  sum% " : "", "cum", kValueWidth,
                       "cum%", kShareWidth, has_calls_ ? kCalls : "");
  }

  // `line_width` is that of the terminal; 0 = no limit.
  std::string Rule(size_t line_width) const {
    constexpr size_t kBelowNames = 13;
    const size_t used = width() + 1;
    const size_t below_names =
        line_width == 0
            ? kBelowNames
            : std::min(kBelowNames, line_width - std::min(line_width, used));
    return std::string(width(), '-') + '+' + std::string(below_names, '-') +
           '\n';
  }

 private:
  static constexpr size_t kCells = kValueWidth + kShareWidth + 2;
  static constexpr std::string_view kCalls = "  calls calls% ";

  // True if names are readable with the columns of this moment.
  bool HasRoom(size_t line_width) const {
    constexpr size_t kMark = 2;  // "| "
    return line_width == 0 || width() + kMark + kReadableName <= line_width;
  }

  bool has_flat_ = true;
  bool has_running_ = false;
  bool has_calls_ = true;
};

class TreeWriter {
 public:
  TreeWriter(const CallersCalleesTable& table, const TreeColumns& columns,
             Unit unit, size_t width, ByteSink& out)
      : columns_(columns), unit_(unit), rule_(columns.Rule(width)), out_(out) {
    std::vector<NameInLine> names;
    names.reserve(table.names.size());
    for (const std::string& name : table.names)
      names.push_back({name, columns.width() + kBeforeRelated.size() + 1});
    names_ = FitNames(names, width);
  }

  void Write(const CallersCalleesRow& row) {
    WriteRelated(row.callers);
    if (columns_.has_flat()) {
      AddCell(Cell(row.flat), kValueWidth);
      AddCell(FormatShare(row.flat_percent), kShareWidth);
    }
    if (columns_.has_running())
      AddCell(FormatShare(row.running_percent), kShareWidth);
    AddCell(Cell(row.cumulative), kValueWidth);
    AddCell(FormatShare(row.cumulative_percent), kShareWidth);
    line_.append(columns_.width() - line_.size(), ' ');
    line_ += '|';
    WriteLine(row.name);
    WriteRelated(row.callees);
    out_.Append(rule_);
  }

 private:
  static constexpr size_t kValueWidth = TreeColumns::kValueWidth;
  static constexpr size_t kShareWidth = TreeColumns::kShareWidth;
  // Before the names of callers and callees; a blank follows.
  static constexpr std::string_view kBeforeRelated = "|  ";

  void WriteRelated(const std::vector<CallerOrCallee>& related) {
    for (const CallerOrCallee& other : related) {
      AddCell(Cell(other.sum), columns_.width() - kShareWidth - 2);
      AddCell(FormatShare(other.percent), kShareWidth);
      line_ += kBeforeRelated;
      WriteLine(other.name);
    }
  }

  std::string Cell(const Change& change) const {
    return FormatCell(WholeChange(change), unit_);
  }

  // Adds a cell, right-aligned, and a blank. Cells are ASCII.
  void AddCell(std::string_view cell, size_t width) {
    line_.append(width - std::min(cell.size(), width), ' ');
    line_ += cell;
    line_ += ' ';
  }

  // Ends the line with a blank and the name.
  void WriteLine(uint32_t name) {
    line_ += ' ';
    line_ += names_[name];
    line_ += '\n';
    out_.Append(line_);
    line_.clear();
  }

  const TreeColumns& columns_;
  const Unit unit_;
  const std::string rule_;
  ByteSink& out_;
  std::vector<std::string> names_;  // as they are written
  std::string line_;                // the one that is being written
};

}  // namespace

void WriteTree(const CallersCalleesTable& table, Unit unit, size_t width,
               ByteSink& out) {
  const TreeColumns columns(width);
  const std::string sums = fmt::format(
      "{}, {} of {}", FormatCell(WholeChange(table.shown), unit),
      FormatShare(Percent(Difference(table.shown), Difference(table.total))),
      FormatCell(WholeChange(table.total), unit));
  if (columns.has_calls())
    out.Format("Showing nodes accounting for {} total\n", sums);
  else
    out.Format("Showing {}\n", sums);
  if (table.rows.size() < table.all_rows)
    out.Format("Showing top {} nodes out of {}\n", table.rows.size(),
               table.all_rows);
  const std::string rule = columns.Rule(width);
  out.Format("{}{}{}", rule, columns.Headings(), rule);
  TreeWriter writer(table, columns, unit, width, out);
  for (const CallersCalleesRow& row : table.rows) writer.Write(row);
}

}  // namespace heapprof
