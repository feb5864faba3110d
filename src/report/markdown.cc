// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/markdown.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/profile/line_place.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/view/change.h"
#include "heapprof/view/group_rows.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/units.h"
#include "report/change_text.h"
#include "report/fit_name.h"
#include "report/markdown_code.h"
#include "report/overview_headings.h"
#include "report/shown_dumps.h"
#include "report/story_text.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

constexpr size_t kLongestName = kLongestCode;
constexpr size_t kLongestChain = 240;

// How much of a report is written. If it is too large, it gets smaller step by
// step.
struct Limits {
  size_t groups = 100;
  size_t rows = 10;   // of the table of the user's code
  size_t others = 5;  // of that of functions that allocate
  size_t stacks = 5;
  size_t frames = 12;  // of a stack

  // Returns false if there is nothing left to leave out.
  bool Shrink() {
    if (frames > 4)
      --frames;
    else if (stacks > 0)
      --stacks;
    else if (others > 0)
      --others;
    else if (rows > 0)
      --rows;
    else if (groups > 0)
      --groups;
    else
      return false;
    return true;
  }
};

// Returns a frame's label without a place that is unknown.
std::string_view WithoutUnknown(std::string_view label) {
  const std::string unknown = fmt::format(" {}", kUnknownPlace);
  if (label.ends_with(unknown)) label.remove_suffix(unknown.size());
  return label;
}

class Writer {
 public:
  explicit Writer(const MarkdownReport& report)
      : report_(report),
        overview_(report.overview),
        unit_(UnitOf(overview_.metric)) {}

  std::string Write(const Limits& limits) const {
    std::string out = Head();
    AppendStory(out);
    AppendGroups(limits, out);
    if (overview_.own.rows.empty())
      AppendTable(overview_.cumulative,
                  {.caption = kCumulativeHeading,
                   .value = "with callees",
                   .most = limits.rows},
                  out);
    else
      AppendTable(
          overview_.own,
          {.caption = kOwnHeading, .most = limits.rows, .has_callees = true},
          out);
    AppendTable(overview_.allocating,
                {.caption = kAllocatingHeading, .most = limits.others}, out);
    AppendStacks(limits, out);
    AppendEnd(out);
    return out;
  }

 private:
  bool is_comparison() const { return report_.is_comparison; }

  std::string Head() const {
    std::string out = fmt::format(
        "# {}: {}\n\n",
        Code(BaseName(overview_.program.empty() ? report_.dumps.front()
                                                : overview_.program)),
        TotalText());
    if (!report_.bases.empty())
      AppendFormat(out, "{} compared with {}", RunsText(report_.dumps),
                   RunsText(report_.bases));
    else if (is_comparison())
      AppendFormat(out, "the difference in {}", Files(report_.dumps));
    else
      out += DumpsText();
    if (overview_.time_seconds != 0)
      out += ", " + UtcTime(overview_.time_seconds);
    if (MayMissAllocations(overview_.sampling_period))
      AppendFormat(out, ", one sample per {}",
                   FormatSize(overview_.sampling_period));
    if (!is_comparison() && overview_.objects)
      AppendFormat(out, ", {}",
                   FormatAmount(*overview_.objects, Unit::kObjects));
    out += '\n';
    if (report_.left)
      AppendFormat(out, "\nThe filters leave {} of it.\n",
                   is_comparison() ? SidesText(*report_.left)
                                   : FormatAmount(overview_.shown, unit_));
    return out;
  }

  std::string TotalText() const {
    const Change& change = report_.total.change;
    const auto& interval = report_.total.interval;
    const std::string_view what = MetricState(overview_.metric);
    if (is_comparison())
      return fmt::format("{} {}", SidesText(report_.total), what);
    return fmt::format("{}{} {}",
                       FormatWithInterval(change.now.value, interval, unit_),
                       overview_.is_exact && !interval ? " (exact)" : "", what);
  }

  std::string SidesText(const MetricCell& cell) const {
    return fmt::format(
        "{} → {} ({})", FormatAmount(cell.change.base.value, unit_),
        FormatAmount(cell.change.now.value, unit_), ChangeText(cell));
  }

  std::string ChangeText(const MetricCell& cell) const {
    return heapprof::ChangeText(WholeChange(cell.change), cell.interval, unit_);
  }

  std::string DumpsText() const {
    const size_t count = report_.dumps.size();
    if (count <= 1) return Files(report_.dumps);
    return fmt::format("{} ({})",
                       ShownDumps(count, report_.latest, report_.at_end),
                       Files(report_.dumps));
  }

  static std::string RunsText(const std::vector<std::string>& paths) {
    return (paths.size() > 1 ? "the mean of " : "") + Files(paths);
  }

  static std::string Files(const std::vector<std::string>& paths) {
    if (paths.empty()) return "";
    std::string text = Code(paths.front());
    if (paths.size() > 1) AppendFormat(text, " and {} more", paths.size() - 1);
    return text;
  }

  void AppendStory(std::string& out) const {
    if (is_comparison() && IsNoise()) out += "\nAll changes may be chance.\n";
    if (overview_.story.empty()) return;
    out += '\n';
    for (const StoryChain& chain : overview_.story)
      AppendFormat(out, "* **{}** {}{}\n",
                   StoryAmount(chain, is_comparison(), unit_),
                   BeforeChain(chain),
                   Code(ChainText(chain, 0, kLongestChain), kLongestChain));
  }

  // True if no change that the report shows is proven.
  bool IsNoise() const {
    const std::optional<Interval>& of_total = report_.total.interval;
    return of_total && of_total->Contains(0) && overview_.story.empty() &&
           CountChanged(overview_.own) == 0 &&
           CountChanged(overview_.allocating) == 0;
  }

  struct TableForm {
    std::string_view caption;
    std::string_view value = "self";  // what the first column has
    size_t most = 0;                  // rows
    std::string_view noun = "function";
    bool has_callees = false;  // a column for the value with callees
    bool has_sizes = false;    // one for the mean size of objects
    // Rows that are not proven to have changed, in a comparison.
    bool shows_unchanged = false;
  };

  void AppendTable(const OverviewTable& table, TableForm form,
                   std::string& out) const {
    const bool leaves_out = is_comparison() && !form.shows_unchanged;
    const size_t changed = CountChanged(table);
    const size_t shown =
        std::min(form.most, leaves_out ? changed : table.rows.size());
    if (shown == 0) return;
    form.has_sizes = KnowsObjectSizes(table);
    if (is_comparison())
      AppendFormat(out,
                   "\n| before | after | change | {} |\n|--:|--:|--:|---|\n",
                   form.caption);
    else
      AppendFormat(out, "\n| {} | share |{}{} {} |\n|--:|--:|{}{}---|\n",
                   form.value, form.has_callees ? " with callees |" : "",
                   form.has_sizes ? " mean size |" : "", form.caption,
                   form.has_callees ? "--:|" : "",
                   form.has_sizes ? "--:|" : "");
    const auto add = [&](const OverviewRow& row, const std::string& name) {
      AppendRow(row, name, form, out);
    };
    const std::span<const OverviewRow> rows =
        std::span(table.rows).first(shown);
    std::vector<NameInLine> in_lines;
    for (const OverviewRow& row : rows) in_lines.push_back({row.name});
    const std::vector<std::string> names = FitNames(in_lines, kLongestName);
    for (size_t i = 0; i < rows.size(); ++i)
      add(rows[i], CodeInCell(names[i], names[i].size()));
    const size_t others = table.rows.size() - shown;
    // The rows of callers contain those of callees.
    const bool adds_up = &table != &overview_.cumulative;
    if (leaves_out && shown == changed && others != 0)
      AppendFormat(out, "| | | | {} |\n", kOthersUnchanged);
    else if (!is_comparison() && others != 0 && adds_up)
      add(SumOfRows(table, shown),
          Counted(others, fmt::format("more {}", form.noun)));
    if (table.unassigned.value() != 0)
      add(table.unassigned, table.unassigned.name);
  }

  void AppendGroups(const Limits& limits, std::string& out) const {
    if (limits.groups == 0) return;
    OverviewTable groups = overview_.groups;
    AppendTable(groups,
                {.caption = "Groups",
                 .value = "held",
                 .most = KeepOtherGroup(groups.rows, limits.groups),
                 .noun = "group",
                 .shows_unchanged = true},
                out);
  }

  void AppendRow(const OverviewRow& row, const std::string& name,
                 const TableForm& form, std::string& out) const {
    if (is_comparison()) {
      AppendFormat(out, "| {} | {} | {} | {} |\n",
                   FormatCell(row.cell.change.base.value, unit_),
                   FormatCell(row.cell.change.now.value, unit_),
                   ChangeText(row.cell), name);
      return;
    }
    const std::string callees =
        row.cumulative_percent == 0 ? "" : FormatShare(row.cumulative_percent);
    const std::optional<double> size = MeanObjectSize(row);
    const std::string size_text =
        size ? FormatCell(*size, Unit::kMegabytes) : "";
    AppendFormat(out, "| {} | {} |{}{} {} |\n", FormatCell(row.value(), unit_),
                 FormatShare(row.percent),
                 form.has_callees ? fmt::format(" {} |", callees) : "",
                 form.has_sizes ? fmt::format(" {} |", size_text) : "", name);
  }

  void AppendStacks(const Limits& limits, std::string& out) const {
    const TraceTable& table = report_.traces;
    const size_t count = std::min(limits.stacks, table.traces.size());
    if (count == 0 || (is_comparison() && IsNoise())) return;
    out += is_comparison() ? "\nThe stacks that changed most, innermost call "
                             "first:\n"
                           : "\nThe largest stacks, innermost call first:\n";
    for (const Trace& trace : std::span(table.traces).first(count)) {
      const std::span<const uint32_t> frames = table.FramesOf(trace);
      const std::vector<bool> is_shown = FramesToShow(frames, limits.frames);
      std::string lines;
      for (size_t i = 0; i < frames.size();) {
        if (is_shown[i]) {
          lines += FrameLine(frames[i++]);
          continue;
        }
        const size_t end = static_cast<size_t>(
            std::find(is_shown.begin() + static_cast<ptrdiff_t>(i),
                      is_shown.end(), true) -
            is_shown.begin());
        AppendFormat(lines, "… {} more\n", end - i);
        i = end;
      }
      AppendFormat(out, "\n{}\n\n{}", StackText(trace), CodeBlock(lines));
    }
  }

  // Chooses about `most` frames of a stack: the outermost ones, which say which
  // thread it is, some of the innermost ones, then the user's own code. A
  // library may have more frames than are shown, and they do not say who called
  // it for what.
  std::vector<bool> FramesToShow(std::span<const uint32_t> frames,
                                 size_t most) const {
    constexpr size_t kOutermost = 2;
    if (frames.size() <= most) return std::vector<bool>(frames.size(), true);
    std::vector<bool> is_shown(frames.size());
    for (size_t i = 1; i <= kOutermost; ++i) is_shown[frames.size() - i] = true;
    size_t left = most - kOutermost;
    const auto show_first = [&](size_t count, auto is_wanted) {
      for (size_t i = 0; i < frames.size() && count > 0 && left > 0; ++i) {
        if (is_shown[i] || !is_wanted(frames[i])) continue;
        is_shown[i] = true;
        --count;
        --left;
      }
    };
    const auto any = [](uint32_t) { return true; };
    show_first(left / 2, any);
    show_first(left, [&](uint32_t label) {
      return label < report_.traces.is_own.size() &&
             report_.traces.is_own[label];
    });
    show_first(left, any);
    // "… 1 more" would take a line, too.
    for (size_t i = 1; i + 1 < frames.size(); ++i)
      if (is_shown[i - 1] && is_shown[i + 1]) is_shown[i] = true;
    return is_shown;
  }

  std::string FrameLine(uint32_t label) const {
    return ValidUtf8(FitNameAndPlace(
               WithoutUnknown(report_.traces.labels[label]), 0, kLongestName)) +
           '\n';
  }

  std::string StackText(const Trace& trace) const {
    if (is_comparison())
      return heapprof::ChangeText(trace.value, std::nullopt, unit_);
    return fmt::format("{}, {}", FormatAmount(trace.value, unit_),
                       FormatShare(Percent(trace.value, overview_.shown)));
  }

  void AppendEnd(std::string& out) const {
    if (!report_.warnings.empty()) out += '\n';
    for (const std::string& warning : report_.warnings)
      AppendFormat(out, "* Warning: {}\n", Code(warning, kLongestChain));
    if (report_.commands.empty()) return;
    out += "\nTo go deeper:\n\n";
    std::string lines;
    for (const std::string& command : report_.commands)
      lines += Printable(command) + '\n';
    out += CodeBlock(lines);
  }

  const MarkdownReport& report_;
  const Overview& overview_;
  const Unit unit_;
};

}  // namespace

std::string WriteMarkdown(const MarkdownReport& report) {
  const Writer writer(report);
  Limits limits;
  std::string text = writer.Write(limits);
  while (text.size() > report.most_bytes && limits.Shrink())
    text = writer.Write(limits);
  return text;
}

}  // namespace heapprof
