// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/check.h"
#include "report/check_rows.h"
#include "report/comparison_parts.h"
#include "report/field_writer.h"
#include "report/fit_name.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

// The table shows at most this many inconclusive findings, because they may be
// due to sampling noise alone.
constexpr size_t kMostInconclusive = 20;

class CheckText {
 public:
  explicit CheckText(const CheckReport& report)
      : report_(report), style_{.width = report.width, .color = report.color} {}

  std::string Write() && {
    AddVerdict();
    AppendSides(report_.comparison, report_.dumps, style_, out_);
    AddParagraph(MethodSentence(report_));
    out_ += '\n';
    AppendStory(report_.story, report_.comparison, style_, out_);
    AddFindings();
    AddIgnored();
    AddDetectable();
    return std::move(out_);
  }

 private:
  void AddParagraph(std::string_view text, std::string_view style = "") {
    AppendParagraph(text, style, style_, out_);
  }

  void AddVerdict() {
    AddParagraph(
        CheckHeadline(report_),
        report_.result.verdict == Verdict::kRegression ? kStrongRed : kStrong);
    if (const std::string power = PowerSentence(report_); !power.empty())
      AddParagraph(power);
    out_ += '\n';
  }

  void AddFindings() {
    const CheckResult& result = report_.result;
    std::vector<TableRow> rows = {Heading()};
    for (const CheckFinding& finding : result.totals)
      AddFinding(finding, kStrong, rows);
    if (result.totals.empty())
      rows.push_back(RowOf(MakeTotalRow(report_), kStrong));
    size_t inconclusive = 0;
    std::vector<std::vector<TableRow>> blocks;  // by finding
    for (const CheckFinding& finding : result.findings)
      if (finding.verdict != Verdict::kInconclusive ||
          ++inconclusive <= kMostInconclusive)
        AddFinding(finding, "", blocks.emplace_back());
    const size_t left_out = AddWhatFits(blocks, rows);
    AddTable(rows);
    if (left_out > 0)
      AddParagraph(fmt::format(
          "and {} more, which a pipe or -o FILE shows, with all callers",
          left_out));
    else if (inconclusive > kMostInconclusive)
      AddParagraph(fmt::format("and {} inconclusive",
                               Counted(inconclusive - kMostInconclusive,
                                       "more that is", "more that are")));
    if (result.explained > 0)
      AddParagraph(
          result.explained == 1
              ? "1 caller hidden: the functions above explain its growth"
              : fmt::format(
                    "{} callers hidden: the functions above explain their "
                    "growth",
                    result.explained));
  }

  // Adds the rows of the first findings to `rows`, so that the verdict at the
  // top stays on the screen. If not all findings fit, they are shown without
  // their callers. Returns how many are left out.
  size_t AddWhatFits(std::vector<std::vector<TableRow>>& blocks,
                     std::vector<TableRow>& rows) const {
    constexpr size_t kFewest = 2;
    // How many are left out, which callers are hidden, a message, the prompt.
    constexpr size_t kLinesBelow = 5;
    const size_t used = LineCount(out_) + rows.size() + kLinesBelow;
    size_t room = std::numeric_limits<size_t>::max();
    if (report_.height > 0)
      room = report_.height - std::min(used, report_.height);
    size_t needed = 0;
    for (const std::vector<TableRow>& block : blocks) needed += block.size();
    const bool fits = needed <= room;
    const size_t most_lines = HasDetailLines() ? 2 : 1;
    size_t shown = 0;
    for (std::vector<TableRow>& block : blocks) {
      if (!fits && block.size() > most_lines) block.resize(most_lines);
      if (shown >= kFewest && block.size() > room) break;
      room -= std::min(block.size(), room);
      std::ranges::move(block, std::back_inserter(rows));
      ++shown;
    }
    return blocks.size() - shown;
  }

  void AddIgnored() {
    if (report_.result.ignored.empty()) return;
    out_ += "\nIgnored:\n";
    std::vector<TableRow> rows = {Heading()};
    for (const CheckFinding& finding : report_.result.ignored)
      AddFinding(finding, kFaint, rows);
    AddTable(rows);
  }

  void AddDetectable() {
    const std::vector<std::string> sentences = DetectableSentences(report_);
    if (sentences.empty()) return;
    out_ += "\nWhat these dumps can show:\n";
    FieldWriter writer(style_.width);
    for (const std::string& sentence : sentences) writer.Item(sentence);
    out_ += std::move(writer).Finish();
  }

  // On a narrow terminal, the limit and the verdict move from columns to the
  // line below the name.
  bool HasDetailLines() const { return IsNarrow(style_.width); }

  TableRow Heading() const {
    return RowOf({.before = "before",
                  .after = "after",
                  .change = "change",
                  .allowed = "allowed",
                  .verdict = "verdict",
                  .name = std::string(CompareByName(report_.comparison.by))},
                 kFaint);
  }

  TableRow RowOf(const CheckRow& row, std::string_view style) const {
    TableRow cells = {.cells = {row.before, row.after, row.change},
                      .name = Shortened(row.name, kLongestName),
                      .style = style};
    if (!HasDetailLines()) {
      cells.cells.push_back(row.allowed);
      cells.cells.push_back(row.verdict);
    }
    return cells;
  }

  // Adds the row of a finding and, below it, its notes and its callers.
  void AddFinding(const CheckFinding& finding, std::string_view style,
                  std::vector<TableRow>& rows) const {
    const CheckRow row = MakeCheckRow(report_, finding);
    const bool stands_out =
        finding.verdict == Verdict::kRegression && style != kFaint;
    rows.push_back(RowOf(row, stands_out ? kStrongRed : style));
    std::vector<std::string> parts;
    if (HasDetailLines()) {
      parts.push_back(row.verdict);
      if (!row.allowed.empty()) parts.push_back("allowed " + row.allowed);
    }
    if (!row.note.empty()) parts.push_back(row.note);
    std::string details = fmt::format("{}", fmt::join(parts, ", "));
    const std::string path = row.path.empty() ? "" : "via " + row.path;
    const bool path_fits = !HasDetailLines() &&
                           Columns(details) + 2 + Columns(path) <= kLongestName;
    if (!path.empty() && path_fits) details += ", " + path;
    rows.push_back(DetailRow(details));
    if (!path.empty() && !path_fits) rows.push_back(DetailRow(path));
  }

  static TableRow DetailRow(std::string_view text) {
    return {.name = Shortened(text, kLongestName),
            .style = kFaint,
            .is_detail = true};
  }

  void AddTable(const std::vector<TableRow>& rows) {
    constexpr size_t kNumbers = 4;
    constexpr size_t kBefore = 0, kAfter = 1;
    constexpr size_t kDispensable[] = {kBefore, kAfter};
    AppendTable(rows, kNumbers, kDispensable, style_, out_);
  }

  const CheckReport& report_;
  const TextStyle style_;
  std::string out_;
};

}  // namespace

std::string WriteCheckText(const CheckReport& report) {
  return CheckText(report).Write();
}

std::string WriteCheckErrorText(std::string_view error) {
  return fmt::format("not judged: {}\n", Printable(error));
}

}  // namespace heapprof
