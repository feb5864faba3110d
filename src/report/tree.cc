// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/tree.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/printable.h"
#include "heapprof/view/change.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

constexpr std::string_view kTreeRule =
    "----------------------------------------------------------+-------------"
    "\n";

// A narrow terminal has no room for the running percentage.
bool HasRunning(size_t width) { return !IsNarrow(width); }

class TreeWriter {
 public:
  TreeWriter(const CallersCalleesTable& table, Unit unit, size_t width,
             ByteSink& out)
      : unit_(unit),
        width_(width),
        related_width_(HasRunning(width) ? kRelatedWidth
                                         : kRelatedWidth - kShareWidth - 1),
        out_(out) {
    names_.reserve(table.names.size());
    for (const std::string& name : table.names)
      names_.push_back(Printable(name));
  }

  void Write(const CallersCalleesRow& row) {
    WriteRelated(row.callers);
    AddCell(Cell(row.flat), kValueWidth);
    AddCell(FormatShare(row.flat_percent), kShareWidth);
    if (HasRunning(width_))
      AddCell(FormatShare(row.running_percent), kShareWidth);
    AddCell(Cell(row.cumulative), kValueWidth);
    AddCell(FormatShare(row.cumulative_percent), kShareWidth);
    line_ += "               |";
    WriteLine(row.name);
    WriteRelated(row.callees);
    out_.Append(kTreeRule);
  }

 private:
  static constexpr size_t kValueWidth = 10;
  static constexpr size_t kShareWidth = 6;
  static constexpr size_t kRelatedWidth = 50;

  void WriteRelated(const std::vector<CallerOrCallee>& related) {
    for (const CallerOrCallee& other : related) {
      AddCell(Cell(other.sum), related_width_);
      AddCell(FormatShare(other.percent), kShareWidth);
      line_ += "|  ";
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

  // Ends the line with a blank and the name, shortened to fit.
  void WriteLine(uint32_t name) {
    line_ += ' ';
    if (width_ == 0)
      line_ += names_[name];
    else
      line_ += FitName(names_[name], line_.size(), width_);
    line_ += '\n';
    out_.Append(line_);
    line_.clear();
  }

  const Unit unit_;
  const size_t width_;
  const size_t related_width_;
  ByteSink& out_;
  std::vector<std::string> names_;  // printable
  std::string line_;                // the one that is being written
};

}  // namespace

void WriteTree(const CallersCalleesTable& table, Unit unit, size_t width,
               ByteSink& out) {
  out.Format(
      "Showing nodes accounting for {}, {} of {} total\n",
      FormatCell(WholeChange(table.shown), unit),
      FormatShare(Percent(Difference(table.shown), Difference(table.total))),
      FormatCell(WholeChange(table.total), unit));
  if (table.rows.size() < table.all_rows)
    out.Format("Showing top {} nodes out of {}\n", table.rows.size(),
               table.all_rows);
  out.Format("{}{:>10} {:>6} {}{:>10} {:>6}   calls calls% + context\n{}",
             kTreeRule, "flat", "flat%", HasRunning(width) ? "  sum% " : "",
             "cum", "cum%", kTreeRule);
  TreeWriter writer(table, unit, width, out);
  for (const CallersCalleesRow& row : table.rows) writer.Write(row);
}

}  // namespace heapprof
