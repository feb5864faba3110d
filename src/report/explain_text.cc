// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/text_columns.h"
#include "heapprof/report/explain.h"
#include "heapprof/view/units.h"
#include "report/field_writer.h"
#include "report/terminal_style.h"
#include "report/text_bar.h"

namespace heapprof {
namespace {

constexpr size_t kUsualWidth = 80, kWidestChart = 100, kAdviceKeyWidth = 23;
constexpr size_t kLabelWidth = 29;
constexpr size_t kMostClasses = 5;

// All amounts have one unit, so that they can be compared and added up.
struct SharedUnit {
  double size;
  int decimals;
  std::string_view name;
};

SharedUnit UnitFor(int64_t total) {
  constexpr double kMega = 1 << 20, kGiga = 1 << 30;
  constexpr double kManyGiga = 10;
  return static_cast<double>(total) < kManyGiga * kGiga
             ? SharedUnit{kMega, 1, "MiB"}
             : SharedUnit{kGiga, 2, "GiB"};
}

std::string AmountIn(double bytes, const SharedUnit& unit) {
  return FormatFixed(bytes / unit.size, unit.decimals);
}

class ExplainWriter {
 public:
  ExplainWriter(const Waterfall& waterfall, const ExplainTextOptions& options)
      : waterfall_(waterfall),
        options_(options),
        width_(options.width == 0 ? kUsualWidth
                                  : std::min(options.width, kWidestChart)),
        unit_(UnitFor(waterfall.total)) {}

  std::string Write() {
    WriteHeadline();
    WriteLines();
    WriteClasses();
    WriteAdvice();
    WriteRemarks();
    return std::move(out_);
  }

 private:
  std::string Of(int64_t bytes) const {
    return AmountIn(static_cast<double>(bytes), unit_);
  }
  // True for what would be shown as 0.0.
  bool IsTiny(int64_t bytes) const { return Of(bytes) == Of(0); }
  void AddLine(std::string_view text, std::string_view style = {}) {
    AppendStyled(text, options_.color ? style : std::string_view(), out_);
  }
  void AddHeading(std::string_view text) {
    out_ += '\n';
    AddLine(text, kStrong);
  }
  void WriteHeadline();
  void WriteLines();
  void WriteLine(const WaterfallLine& line, int64_t largest);
  void WriteClasses();
  void WriteAdvice();
  void WriteRemarks();
  std::string DetailOf(const WaterfallLine& line) const;

  const Waterfall& waterfall_;
  const ExplainTextOptions& options_;
  size_t width_;
  SharedUnit unit_;
  std::string out_;
};

void ExplainWriter::WriteHeadline() {
  const int64_t other = waterfall_.total - waterfall_.jemalloc;
  if (!waterfall_.is_rss) {
    AddLine(fmt::format("jemalloc's resident memory {} {}, at most",
                        Of(waterfall_.total), unit_.name),
            kStrong);
    return;
  }
  std::string text = fmt::format("RSS {} {}", Of(waterfall_.total), unit_.name);
  const bool is_told_apart = std::ranges::none_of(
      waterfall_.lines,
      [](const WaterfallLine& line) { return line.kind == LineKind::kUntold; });
  if (is_told_apart)
    text += fmt::format(" = jemalloc {} + other {}", Of(waterfall_.jemalloc),
                        Of(other));
  AddLine(text, kStrong);
  if (waterfall_.is_jemalloc_exact)
    AddLine(
        "jemalloc's mappings are known: they are as large as it says they are");
}

std::string ExplainWriter::DetailOf(const WaterfallLine& line) const {
  if (line.kind == LineKind::kLive && waterfall_.dump)
    return fmt::format("by stacks: {} to {} {}",
                       AmountIn(waterfall_.dump->bounds.lower, unit_),
                       AmountIn(waterfall_.dump->bounds.upper, unit_),
                       unit_.name);
  return line.detail;
}

void ExplainWriter::WriteLine(const WaterfallLine& line, int64_t largest) {
  constexpr size_t kOtherColumns = 2 + kLabelWidth + 11 + 4 + 8 + 2 + 10;
  const size_t bar_width =
      width_ > kOtherColumns + 4 ? width_ - kOtherColumns : 4;
  const double share = Percent(static_cast<double>(line.bytes),
                               static_cast<double>(waterfall_.total));
  const std::string bar = TextBar(static_cast<double>(line.bytes),
                                  static_cast<double>(largest), bar_width);
  const std::string text =
      fmt::format("  {:<{}}{:>11} {}{:>8}  {}  {}", LabelOf(line.kind),
                  kLabelWidth, Of(line.bytes), unit_.name, FormatPercent(share),
                  bar, NameOf(line.certainty));
  AddLine(text, share >= kMuch ? kStrongRed : std::string_view());
  if (const std::string detail = DetailOf(line); !detail.empty())
    AddLine(fmt::format("    {}", detail), kFaint);
}

void ExplainWriter::WriteLines() {
  int64_t largest = 0;
  for (const WaterfallLine& line : waterfall_.lines)
    largest = std::max(largest, line.bytes);
  out_ += '\n';
  for (const WaterfallLine& line : waterfall_.lines) WriteLine(line, largest);
}

void ExplainWriter::WriteClasses() {
  if (waterfall_.classes.empty()) return;
  AddHeading("Free regions by the size of the objects");
  AddLine(fmt::format("  {:>10}{:>15}{:>10}{:>12}{:>12}", "size", "free",
                      "in use", "objects", "slabs"));
  for (size_t i = 0; i < waterfall_.classes.size(); ++i) {
    const auto& [small, used] = waterfall_.classes[i];
    const auto free = static_cast<int64_t>(small.free_bytes());
    if (i == kMostClasses || (i > 0 && IsTiny(free))) {
      AddLine(fmt::format("  and {} more with less",
                          waterfall_.classes.size() - i));
      break;
    }
    AddLine(fmt::format("  {:>10}{:>11} {}{:>10}{:>12}{:>12}",
                        FormatSize(small.size), Of(free), unit_.name,
                        FormatPercent(100 * used), small.regions, small.slabs));
  }
}

void ExplainWriter::WriteAdvice() {
  FieldWriter fields(width_, kAdviceKeyWidth);
  for (const WaterfallLine& line : waterfall_.lines)
    if (!line.advice.empty()) fields.Field(LabelOf(line.kind), line.advice);
  const std::string text = std::move(fields).Finish();
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

}  // namespace

std::string WriteExplainText(const Waterfall& waterfall,
                             const ExplainTextOptions& options) {
  return ExplainWriter(waterfall, options).Write();
}

}  // namespace heapprof
