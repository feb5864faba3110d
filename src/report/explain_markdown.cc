// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <utility>

#include "heapprof/base/append_format.h"
#include "heapprof/base/counted.h"
#include "heapprof/report/explain.h"
#include "heapprof/view/units.h"
#include "report/explain_parts.h"
#include "report/markdown_code.h"
#include "report/stack_lines.h"

namespace heapprof {
namespace {

constexpr size_t kClassesInReport = 5, kHoldersInReport = 5;
constexpr size_t kLongestStackText = 240;

class ExplainMarkdown {
 public:
  explicit ExplainMarkdown(const Waterfall& waterfall)
      : waterfall_(waterfall), unit_(ExplainUnitFor(waterfall)) {}

  std::string Write() && {
    AppendFormat(out_, "# {}\n\n", ExplainHeadline(waterfall_));
    if (!waterfall_.subject.empty())
      AppendFormat(out_, "{}\n\n", Code(waterfall_.subject));
    AddLines();
    AddClasses();
    AddHolders();
    AddAdvice();
    AddRemarks();
    return std::move(out_);
  }

 private:
  std::string Of(int64_t bytes) const { return unit_.Amount(bytes); }
  // The cells of an amount, each with the mark that ends it.
  std::string Cells(int64_t bytes, int64_t base) const {
    if (!waterfall_.IsComparison())
      return fmt::format("{} | {} |", Of(bytes),
                         ExplainShare(waterfall_, bytes));
    return fmt::format("{} | {} | {} |", Of(base), Of(bytes),
                       unit_.Change(bytes - base));
  }

  void AddLines() {
    if (waterfall_.IsComparison())
      AppendFormat(out_,
                   "| before | after | change, {} | line | |\n"
                   "|--:|--:|--:|---|---|\n",
                   unit_.name);
    else
      AppendFormat(out_, "| {} | share | line | |\n|--:|--:|---|---|\n",
                   unit_.name);
    for (const WaterfallLine& line : waterfall_.lines) {
      const std::string detail = ExplainDetail(waterfall_, line);
      AppendFormat(out_, "| {} {}{}{} | {} |\n",
                   Cells(line.bytes, line.base_bytes), LabelOf(line.kind),
                   detail.empty() ? "" : ": ", detail, NameOf(line.certainty));
    }
    AppendFormat(out_, "| {} **{}** | |\n",
                 Cells(waterfall_.total, waterfall_.base_total.value_or(0)),
                 TotalName(waterfall_));
    if (waterfall_.is_jemalloc_exact)
      AppendFormat(out_, "\n{}.\n", kExactMappings);
  }

  void AddClasses() {
    if (waterfall_.classes.empty()) return;
    if (waterfall_.IsComparison())
      AppendFormat(out_,
                   "\n| free before | after | change, {} | in use | objects | "
                   "free regions for objects of |\n"
                   "|--:|--:|--:|--:|--:|---|\n",
                   unit_.name);
    else
      AppendFormat(out_,
                   "\n| free, {} | share | in use | objects | free regions for "
                   "objects of |\n|--:|--:|--:|--:|---|\n",
                   unit_.name);
    const size_t count = std::min(kClassesInReport, waterfall_.classes.size());
    for (const ClassWaste& waste : std::span(waterfall_.classes).first(count))
      AppendFormat(out_, "| {} {} | {} | {} |\n",
                   Cells(static_cast<int64_t>(waste.small.free_bytes()),
                         static_cast<int64_t>(waste.base.free_bytes())),
                   FormatShare(100 * waste.used), waste.small.regions,
                   FormatSize(waste.small.size));
    if (count < waterfall_.classes.size())
      AppendFormat(out_, "\nand {} with less\n",
                   Counted(waterfall_.classes.size() - count, "more size"));
  }

  void AddHolders() {
    for (const HolderTable& table :
         HolderTables(waterfall_, kHoldersInReport)) {
      AppendFormat(out_, "\n{}:\n\n|", table.title);
      for (const std::string& heading : table.headings)
        AppendFormat(out_, " {} |", heading);
      out_ += " stack |\n|";
      for (size_t i = 0; i < table.headings.size(); ++i) out_ += "--:|";
      out_ += "---|\n";
      for (const HolderRow& row : table.rows) {
        out_ += '|';
        for (const std::string& cell : row.cells)
          AppendFormat(out_, " {} |", cell);
        AppendFormat(out_, " {} |\n",
                     CodeInCell(StackLine(row.stack, kLongestStackText),
                                kLongestStackText));
      }
      if (table.more != 0) AppendFormat(out_, "\nand {} more\n", table.more);
    }
  }

  void AddAdvice() {
    bool has_heading = false;
    for (const WaterfallLine& line : waterfall_.lines) {
      if (line.advice.empty()) continue;
      if (!std::exchange(has_heading, true)) out_ += "\nWhat acts on it:\n\n";
      AppendFormat(out_, "* **{}**: {}\n", LabelOf(line.kind),
                   MarkdownText(line.advice));
    }
  }

  void AddRemarks() {
    if (waterfall_.remarks.empty()) return;
    out_ += "\nWhat limits these numbers:\n\n";
    for (const Remark& remark : waterfall_.remarks)
      AppendFormat(out_, "* {}\n", MarkdownText(remark.text));
  }

  const Waterfall& waterfall_;
  const ExplainUnit unit_;
  std::string out_;
};

}  // namespace

std::string WriteExplainMarkdown(const Waterfall& waterfall) {
  return ExplainMarkdown(waterfall).Write();
}

}  // namespace heapprof
