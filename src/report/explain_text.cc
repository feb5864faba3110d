// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ranges>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/counted.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/report/explain.h"
#include "heapprof/view/units.h"
#include "report/comparison_parts.h"
#include "report/explain_parts.h"
#include "report/field_writer.h"
#include "report/stack_lines.h"
#include "report/terminal_style.h"
#include "report/text_bar.h"

namespace heapprof {
namespace {

constexpr size_t kAdviceKeyWidth = 30;
constexpr size_t kLabelWidth = 29;
constexpr size_t kClassesInText = 5, kHoldersInText = 5;
// If the whole text is too long for the terminal, lines below this fraction of
// the largest one are added up.
constexpr double kSmallLine = 0.05;
constexpr std::string_view kMoreInVerbose =
    "\n  --verbose shows all lines, sizes and stacks, and what limits the "
    "numbers\n";

class ExplainWriter {
 public:
  ExplainWriter(const Waterfall& waterfall, const ExplainTextOptions& options)
      : waterfall_(waterfall),
        options_(options),
        width_(ProseWidth(options.width)),
        unit_(ExplainUnitFor(waterfall)) {}

  std::string Write() {
    WriteHeadline();
    if (waterfall_.is_jemalloc_exact) AddLine(kExactMappings);
    WriteLines(waterfall_.lines);
    WriteClasses();
    WriteHolders();
    WriteAdvice(SIZE_MAX);
    WriteRemarks();
    if (options_.rows != 0 && LineCount(out_) >= options_.rows) WriteShort();
    return std::move(out_);
  }

 private:
  // Writes what matters most, so that the headline is still on the screen when
  // the shell prompts again.
  void WriteShort();
  std::string Of(int64_t bytes) const { return unit_.Amount(bytes); }
  void AddLine(std::string_view text, std::string_view style = {}) {
    text = text.substr(0, text.find_last_not_of(' ') + 1);
    AppendStyled(text, options_.color ? style : std::string_view(), out_);
  }
  void AddParagraph(std::string_view text, std::string_view style) {
    AppendParagraph(text, style, {.width = width_, .color = options_.color},
                    out_);
  }
  void AddHeading(std::string_view text) {
    out_ += '\n';
    AddParagraph(text, kStrong);
  }
  void WriteHeadline();
  void WriteLines(std::span<const WaterfallLine> lines);
  void WriteChange(std::string_view label, const WaterfallLine& line,
                   std::string_view certainty);
  std::string BarFor(const WaterfallLine& line, size_t other_columns) const;
  void WriteLine(std::string_view label, const WaterfallLine& line,
                 std::string_view certainty);
  void WriteClasses();
  std::vector<TableRow> RowsOf(const HolderTable& table) const;
  void WriteHolders();
  void WriteAdvice(size_t most_lines);
  void WriteRemarks();

  const Waterfall& waterfall_;
  const ExplainTextOptions& options_;
  size_t width_;
  ExplainUnit unit_;
  std::string out_;
};

void ExplainWriter::WriteHeadline() {
  AddParagraph(ExplainHeadline(waterfall_), kStrong);
}

// Returns a bar that fills what other columns leave of the width.
std::string ExplainWriter::BarFor(const WaterfallLine& line,
                                  size_t other_columns) const {
  constexpr size_t kLeast = 4;
  const size_t bar_width =
      width_ > other_columns + kLeast ? width_ - other_columns : kLeast;
  return TextBar(ExplainBar(waterfall_, line), 1, bar_width);
}

void ExplainWriter::WriteLine(std::string_view label, const WaterfallLine& line,
                              std::string_view certainty) {
  if (waterfall_.IsComparison()) return WriteChange(label, line, certainty);
  constexpr size_t kOtherColumns = 2 + kLabelWidth + 11 + 4 + 8 + 2 + 10;
  const double share = Percent(static_cast<double>(line.bytes),
                               static_cast<double>(waterfall_.total));
  const std::string text = fmt::format("  {:<{}}{:>11} {}{:>8}  {}  {}", label,
                                       kLabelWidth, Of(line.bytes), unit_.name,
                                       ExplainShare(waterfall_, line.bytes),
                                       BarFor(line, kOtherColumns), certainty);
  AddLine(text, share >= kMuch ? kStrongRed : std::string_view());
}

void ExplainWriter::WriteChange(std::string_view label,
                                const WaterfallLine& line,
                                std::string_view certainty) {
  constexpr size_t kOtherColumns = 2 + kLabelWidth + 9 + 9 + 10 + 4 + 2 + 10;
  const int64_t change = line.change();
  const std::string text =
      fmt::format("  {:<{}}{:>9}{:>9}{:>10} {}  {}  {}", label, kLabelWidth,
                  Of(line.base_bytes), Of(line.bytes), unit_.Change(change),
                  unit_.name, BarFor(line, kOtherColumns), certainty);
  AddLine(text, ExplainBar(waterfall_, line) >= 0.5 ? kStrongRed
                                                    : std::string_view());
}

void ExplainWriter::WriteLines(std::span<const WaterfallLine> lines) {
  out_ += '\n';
  if (waterfall_.IsComparison())
    AddLine(fmt::format("  {:<{}}{:>9}{:>9}{:>10}", "", kLabelWidth, "before",
                        "after", "change"),
            kFaint);
  for (const WaterfallLine& line : lines) {
    WriteLine(LabelOf(line.kind), line, NameOf(line.certainty));
    if (const std::string detail = ExplainDetail(waterfall_, line);
        !detail.empty())
      AddLine(fmt::format("    {}", detail), kFaint);
  }
}

void ExplainWriter::WriteClasses() {
  if (waterfall_.classes.empty()) return;
  AddHeading("Free regions by the size of the objects");
  AddLine(waterfall_.IsComparison()
              ? fmt::format("  {:>10}{:>11}{:>11}{:>14}{:>10}{:>12}", "size",
                            "before", "after", "change", "in use", "objects")
              : fmt::format("  {:>10}{:>15}{:>10}{:>12}{:>12}", "size", "free",
                            "in use", "objects", "slabs"));
  for (size_t i = 0; i < waterfall_.classes.size(); ++i) {
    const ClassWaste& waste = waterfall_.classes[i];
    const SmallClass& small = waste.small;
    const auto free = static_cast<int64_t>(small.free_bytes());
    const auto change = free - static_cast<int64_t>(waste.base.free_bytes());
    if (i == kClassesInText || (i > 0 && unit_.IsTiny(change))) {
      AddLine(fmt::format("  and {} more with less",
                          waterfall_.classes.size() - i));
      break;
    }
    AddLine(waterfall_.IsComparison()
                ? fmt::format("  {:>10}{:>11}{:>11}{:>10} {}{:>10}{:>12}",
                              FormatSize(small.size),
                              Of(static_cast<int64_t>(waste.base.free_bytes())),
                              Of(free), unit_.Change(change), unit_.name,
                              FormatShare(100 * waste.used), small.regions)
                : fmt::format("  {:>10}{:>11} {}{:>10}{:>12}{:>12}",
                              FormatSize(small.size), Of(free), unit_.name,
                              FormatShare(100 * waste.used), small.regions,
                              small.slabs));
  }
}

// Returns the columns that the numbers of a table take.
size_t ColumnsOfNumbers(std::span<const TableRow> rows) {
  constexpr size_t kGap = 2;  // after each column
  size_t sum = 0;
  for (size_t i = 0; i < rows.front().cells.size(); ++i)
    sum += kGap + std::ranges::max(rows | std::views::transform([i](auto& row) {
                                     return Columns(row.cells[i]);
                                   }));
  return sum;
}

std::vector<TableRow> ExplainWriter::RowsOf(const HolderTable& table) const {
  std::vector<TableRow> numbers = {
      {.cells = table.headings, .name = "stack", .style = kFaint}};
  std::vector<std::vector<std::string>> stacks;
  for (const HolderRow& row : table.rows) {
    numbers.push_back({.cells = row.cells, .name = {}});
    stacks.push_back(row.stack);
  }
  for (TableRow& row : numbers) row.cells.front().insert(0, "  ");
  constexpr size_t kLeast = 24;
  const size_t used = ColumnsOfNumbers(numbers);
  const auto lines = DistinctStackLines(
      stacks, width_ > used + kLeast ? width_ - used : kLeast);
  std::vector<TableRow> rows = {numbers.front()};
  for (size_t i = 0; i < stacks.size(); ++i) {
    rows.push_back({.cells = numbers[i + 1].cells, .name = lines[i].front()});
    for (size_t line = 1; line < lines[i].size(); ++line)
      rows.push_back({.cells = {}, .name = lines[i][line]});
  }
  return rows;
}

void ExplainWriter::WriteHolders() {
  const TextStyle style = {.width = width_, .color = options_.color};
  for (const HolderTable& table : HolderTables(waterfall_, kHoldersInText)) {
    AddHeading(table.title);
    AppendTable(RowsOf(table), table.headings.size(), {}, style, out_);
    if (table.more != 0) AddLine(fmt::format("  and {} more", table.more));
  }
}

// Leaves out the advice that does not fit into `most_lines`.
void ExplainWriter::WriteAdvice(size_t most_lines) {
  constexpr size_t kHeading = 2;
  std::string text;
  for (const WaterfallLine& line : waterfall_.lines) {
    if (line.advice.empty()) continue;
    FieldWriter field(width_, kAdviceKeyWidth);
    field.Field(LabelOf(line.kind), line.advice);
    const std::string advice = std::move(field).Finish();
    if (kHeading + LineCount(text) + LineCount(advice) <= most_lines)
      text += advice;
  }
  if (text.empty()) return;
  AddHeading("What acts on it");
  out_ += text;
}

void ExplainWriter::WriteRemarks() {
  if (waterfall_.remarks.empty()) return;
  AddHeading("What limits these numbers");
  FieldWriter fields(width_, kAdviceKeyWidth);
  for (const Remark& remark : waterfall_.remarks) fields.Item(remark.text);
  out_ += std::move(fields).Finish();
}

void ExplainWriter::WriteShort() {
  out_.clear();
  WriteHeadline();
  const auto size_of = [](const WaterfallLine& line) {
    return static_cast<double>(std::abs(line.change()));
  };
  double largest = 0;
  for (const WaterfallLine& line : waterfall_.lines)
    largest = std::max(largest, size_of(line));
  std::vector<WaterfallLine> large;
  WaterfallLine rest;
  for (const WaterfallLine& line : waterfall_.lines) {
    if (size_of(line) > 0 && size_of(line) >= kSmallLine * largest) {
      large.push_back(line);
      continue;
    }
    rest.bytes += line.bytes;
    rest.base_bytes += line.base_bytes;
  }
  WriteLines(large);
  if (const size_t count = waterfall_.lines.size() - large.size(); count != 0) {
    WriteLine(Counted(count, "more line"), rest, "");
  }
  const size_t used = LineCount(out_) + LineCount(kMoreInVerbose) + 1;
  WriteAdvice(options_.rows - std::min(options_.rows, used));
  out_ += kMoreInVerbose;
}

}  // namespace

std::string WriteExplainText(const Waterfall& waterfall,
                             const ExplainTextOptions& options) {
  return ExplainWriter(waterfall, options).Write();
}

}  // namespace heapprof
