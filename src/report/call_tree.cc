// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/call_tree.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/base/counted.h"
#include "report/fit_name.h"
#include "report/terminal_style.h"

namespace heapprof {
namespace {

// The indentation before a name: two characters for each level.
struct Glyphs {
  std::string_view branch;
  std::string_view last_branch;
  std::string_view line;  // beside the rows below a branch that is not the last
  std::string_view none;
  std::string_view dots;
};
constexpr Glyphs kLines = {"├ ", "└ ", "│ ", "  ", "…"};
constexpr Glyphs kAscii = {"- ", "- ", "  ", "  ", "..."};

// The number of characters in the headline besides the pattern.
constexpr size_t kHeadWidth = 50;
constexpr size_t kNumbersWidth = 19;  // width of the columns before names
// On a narrow terminal, the indentation is limited so that names keep this
// width.
constexpr size_t kNameWidth = 32;
// Rows are indented by at most this many levels. A deeper row says how many
// levels are left out: "(+3) name".
constexpr size_t kMostLevels = 40;

class CallTreeWriter {
 public:
  CallTreeWriter(const CallTree& tree, const CallTreeStyle& style)
      : tree_(tree),
        style_(style),
        glyphs_(style.draws_lines ? kLines : kAscii),
        most_levels_(MostLevels(style.width)) {}

  std::string Write() && {
    AppendHead();
    AppendRows();
    AppendHiddenRoots();
    return std::move(out_);
  }

 private:
  static size_t MostLevels(size_t width) {
    if (width == 0) return kMostLevels;
    const size_t used = kNumbersWidth + kNameWidth;
    return std::clamp<size_t>(width < used ? 0 : (width - used) / 2, 4,
                              kMostLevels);
  }

  std::string_view Noun() const {
    return style_.direction == CallDirection::kCallers ? "caller" : "callee";
  }

  // Returns the sign of a value in a comparison that its text lacks.
  std::string Sign(double value) const {
    return std::string(style_.is_comparison ? PlusOf(value) : "");
  }

  std::string Amount(double value) const {
    return Sign(value) + FormatAmount(value, style_.unit);
  }

  void AppendHead() {
    const bool callers = style_.direction == CallDirection::kCallers;
    // If shares are of all changes, the headline has none: before the total, it
    // would look like a share of that.
    const std::string share =
        tree_.has_both_signs
            ? ""
            : fmt::format(" ({})", FormatShare(tree_.matched_percent));
    AppendStyled(
        fmt::format("{} of {}: {}{} of {}", callers ? "Callers" : "Callees",
                    FitName(style_.pattern, kHeadWidth, style_.width),
                    Amount(tree_.matched), share, Amount(tree_.total)),
        StyleOf(kStrong), out_);
    if (tree_.has_both_signs)
      AppendStyled(fmt::format("Shares are of all changes, {}.",
                               FormatAmount(tree_.total_size, style_.unit)),
                   StyleOf(kStrong), out_);
    AppendStyled(
        FitName(
            fmt::format("{:>10} {:>6}  function, and below it {}", "value",
                        "share", callers ? "what calls it" : "what it calls"),
            0, style_.width),
        StyleOf(kFaint), out_);
  }

  void AppendHiddenRoots() {
    AppendMore(tree_.hidden_roots, "with less");
    AppendMore(tree_.covered, "inside these trees");
  }

  void AppendMore(size_t functions, std::string_view what) {
    if (functions == 0) return;
    const std::string text =
        fmt::format("{} {} {}", glyphs_.dots,
                    Counted(functions, "more matching function"), what);
    AppendStyled(fmt::format("{:{}}{}", "", kNumbersWidth,
                             FitName(text, kNumbersWidth, style_.width)),
                 StyleOf(kFaint), out_);
  }

  void AppendRows() {
    std::vector<std::string> lines;
    std::vector<std::string> names;
    for (const CallTreeRow& row : tree_.rows) {
      lines.push_back(
          fmt::format("{:>10} {:>6}  ",
                      Sign(row.value) + FormatCell(row.value, style_.unit),
                      FormatShare(row.percent)));
      AppendIndentation(row, lines.back());
      names.push_back(NameOf(row));
    }
    AppendNames(names, style_.width, lines);
    for (size_t i = 0; i < lines.size(); ++i)
      AppendStyled(lines[i], StyleOf(tree_.rows[i]), out_);
  }

  std::string NameOf(const CallTreeRow& row) const {
    switch (row.kind) {
      case CallTreeRowKind::kFunction:
        return tree_.names[row.name];
      case CallTreeRowKind::kEnd:
        return style_.direction == CallDirection::kCallers ? "[no caller]"
                                                           : "[itself]";
      case CallTreeRowKind::kRest:
        return fmt::format("{} {}", glyphs_.dots,
                           Counted(row.count, fmt::format("more {}", Noun())));
    }
    return "";
  }

  // Appends the indentation of `row` to `line`.
  void AppendIndentation(const CallTreeRow& row, std::string& line) {
    levels_.resize(row.depth);
    const size_t above = row.depth == 0 ? 0 : levels_.back();
    const size_t level = row.depth == 0 || row.continues ? above : above + 1;
    levels_.push_back(level);
    if (level == 0) return;
    open_.resize(std::max(open_.size(), level + 1));
    if (!row.continues) open_[level] = !row.is_last;
    const size_t shown = std::min(level, most_levels_);
    for (size_t i = 1; i < shown; ++i)
      line += open_[i] ? glyphs_.line : glyphs_.none;
    if (row.continues)
      line += open_[level] ? glyphs_.line : glyphs_.none;
    else
      line += row.is_last ? glyphs_.last_branch : glyphs_.branch;
    if (level != shown) line += fmt::format("(+{}) ", level - shown);
  }

  std::string_view StyleOf(const CallTreeRow& row) const {
    if (!style_.color) return "";
    if (row.kind != CallTreeRowKind::kFunction) return kFaint;
    if (std::abs(row.percent) < kMuch || row.continues) return "";
    return row.depth == 0 ? kStrongRed : kStrong;
  }
  std::string_view StyleOf(std::string_view style) const {
    return style_.color ? style : "";
  }

  const CallTree& tree_;
  const CallTreeStyle& style_;
  const Glyphs& glyphs_;
  const size_t most_levels_;
  // By depth: the indentation level of the last row at that depth. Has elements
  // only for the path from the root to the current row.
  std::vector<size_t> levels_;
  std::vector<bool> open_;  // by level: true if more branches follow below
  std::string out_;
};

}  // namespace

std::string WriteCallTree(const CallTree& tree, const CallTreeStyle& style) {
  return CallTreeWriter(tree, style).Write();
}

}  // namespace heapprof
