// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/check.h"
#include "report/append_format.h"
#include "report/check_rows.h"

namespace heapprof {
namespace {

// Rows that only sampling noise may have put there.
constexpr size_t kMostInconclusive = 20;

struct Column {
  std::string_view heading;
  std::string CheckRow::* cell;
};
constexpr Column kColumns[] = {{"before", &CheckRow::before},
                               {"after", &CheckRow::after},
                               {"change", &CheckRow::change},
                               {"allowed", &CheckRow::allowed}};

std::vector<CheckRow> TotalRows(const CheckReport& report) {
  std::vector<CheckRow> rows;
  for (const CheckFinding& finding : report.result.totals)
    rows.push_back(MakeCheckRow(report, finding));
  if (rows.empty()) rows.push_back(MakeTotalRow(report));
  return rows;
}

// Right-aligned cells of the numbers, for the heading and for each row.
std::vector<std::string> NumberCells(const std::vector<CheckRow>& rows) {
  std::vector<std::string> lines(rows.size() + 1);
  for (const auto& [name, cell] : kColumns) {
    size_t width = name.size();
    for (const CheckRow& row : rows)
      width = std::max(width, Columns(row.*cell));
    AppendFormat(lines[0], "{:>{}}  ", name, width);
    for (size_t i = 0; i < rows.size(); ++i)
      AppendFormat(lines[i + 1], "{}{}  ",
                   std::string(width - Columns(rows[i].*cell), ' '),
                   rows[i].*cell);
  }
  return lines;
}

void AppendTable(const std::vector<CheckRow>& rows, std::string& out) {
  constexpr std::string_view kVerdict = "verdict";
  size_t verdict_width = kVerdict.size();
  for (const CheckRow& row : rows)
    verdict_width = std::max(verdict_width, row.verdict.size());
  const std::vector<std::string> lines = NumberCells(rows);
  AppendFormat(out, "{}{}\n", lines[0], kVerdict);
  for (size_t i = 0; i < rows.size(); ++i) {
    const CheckRow& row = rows[i];
    AppendFormat(out, "{}{:<{}}  {}", lines[i + 1], row.verdict, verdict_width,
                 Printable(row.name));
    if (!row.note.empty()) AppendFormat(out, " ({})", Printable(row.note));
    out += '\n';
    if (row.path.empty()) continue;
    const size_t indent = Columns(lines[0]) + verdict_width + 4;
    AppendFormat(out, "{:{}}via {}\n", "", indent, Printable(row.path));
  }
}

// The rows of findings, without most that are inconclusive; adds their number
// to `left_out`.
std::vector<CheckRow> FindingRows(const CheckReport& report, size_t& left_out) {
  std::vector<CheckRow> rows;
  size_t inconclusive = 0;
  for (const CheckFinding& finding : report.result.findings) {
    if (finding.verdict == Verdict::kInconclusive &&
        ++inconclusive > kMostInconclusive)
      ++left_out;
    else
      rows.push_back(MakeCheckRow(report, finding));
  }
  return rows;
}

}  // namespace

std::string WriteCheckText(const CheckReport& report) {
  std::string out;
  AppendFormat(out, "{}: {}\n\n", VerdictName(report.result.verdict),
               VerdictSentence(report));
  for (const auto& [name, side] :
       {std::pair("base", Side::kBase), std::pair("new ", Side::kNew)})
    AppendFormat(out, "{}  {}\n", name, Printable(SideSentence(report, side)));
  AppendFormat(out, "{}\n\n", MethodSentence(report));
  std::vector<CheckRow> rows = TotalRows(report);
  size_t left_out = 0;
  for (CheckRow& row : FindingRows(report, left_out))
    rows.push_back(std::move(row));
  AppendTable(rows, out);
  if (left_out > 0)
    AppendFormat(out, "and {} more that are inconclusive\n", left_out);
  if (report.result.explained > 0)
    AppendFormat(out, "{} not shown: they only call others that are judged\n",
                 CountOfEntries(report.result.explained, report.comparison.by));
  if (!report.result.ignored.empty()) {
    out += "\nIgnored:\n";
    std::vector<CheckRow> ignored;
    for (const CheckFinding& finding : report.result.ignored)
      ignored.push_back(MakeCheckRow(report, finding));
    AppendTable(ignored, out);
  }
  if (!report.detectable.empty()) {
    out += "\nWhat these dumps can show:\n";
    for (const std::string& sentence : DetectableSentences(report))
      AppendFormat(out, "  {}\n", sentence);
  }
  return out;
}

}  // namespace heapprof
