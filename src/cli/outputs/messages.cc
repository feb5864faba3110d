// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/messages.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <string_view>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/wrapped_text.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Even on a narrow terminal, names of modules keep this many characters.
constexpr size_t kShortestName = 12;

// Says what is wrong with a module, such as "libfoo.so.1 was not found".
std::string ProblemOf(const ModuleRow& module, bool has_memory_map) {
  const std::string_view name = BaseName(module.path);
  switch (module.status) {
    case ModuleStatus::kUnmapped:
      return has_memory_map ? fmt::format("addresses {}", kOutsideMap)
                            : module.info.reason;
    case ModuleStatus::kMissing:
      return fmt::format("{} was not found", name);
    case ModuleStatus::kUnreadable:
      return fmt::format("{} cannot be read", name);
    case ModuleStatus::kWrongBuild:
      return fmt::format("{} is not the file that ran", name);
    case ModuleStatus::kGenerated:
      return fmt::format("{} is code made at run time (see --perf-map)", name);
    case ModuleStatus::kKernel:
      return fmt::format("{} is code of the kernel", name);
    case ModuleStatus::kNoAddresses:
      return fmt::format("{} has addresses of unknown kind", name);
    default:
      break;
  }
  if (module.info.file_state == FileState::kNoDebugInfo)
    return fmt::format("{} has no debug information", name);
  return fmt::format("{} has no symbol for {} of {} addresses", name,
                     module.unresolved, module.locations);
}

// Returns true if the status says why names are missing, and not only that they
// are.
bool SaysWhatHappened(ModuleStatus status) {
  return status == ModuleStatus::kMissing ||
         status == ModuleStatus::kUnreadable ||
         status == ModuleStatus::kWrongBuild ||
         status == ModuleStatus::kGenerated;
}

// Returns the module that lacks names for the largest share of the total; null
// if no module lacks names.
const ModuleRow* WorstModule(const ModuleTable& modules) {
  const auto worst =
      std::ranges::max_element(modules.rows, {}, &ModuleRow::nameless_percent);
  return worst == modules.rows.end() || worst->nameless_percent == 0 ? nullptr
                                                                     : &*worst;
}

std::string ShareWithoutNames(const ModuleTable& modules, bool is_comparison) {
  const std::string percent = FormatShare(modules.nameless_percent);
  if (is_comparison)
    return fmt::format("{} of the difference has no names", percent);
  return fmt::format("{} of {} have no names", percent,
                     IsObjectCount(modules.metric) ? "objects" : "bytes");
}

// Returns the message about missing names in several lengths, longest first.
// `worst` is the module that the message names.
std::vector<std::string> SummaryForms(const ModuleTable& modules,
                                      const ModuleRow& worst,
                                      const CoverageStyle& style) {
  const std::string share = ShareWithoutNames(modules, style.is_comparison);
  const auto others =
      std::ranges::count_if(modules.rows, [&worst](const ModuleRow& row) {
        return &row != &worst && row.nameless_percent > 0;
      });
  constexpr std::string_view kSee = "; see heapprof info";
  const std::string more =
      others == 0
          ? std::string(kSee)
          : fmt::format(" ({}; see heapprof info)",
                        Counted(static_cast<uint64_t>(others), "more module"));
  const std::string problem = ProblemOf(worst, modules.has_memory_map);
  std::vector<std::string> forms;
  // If the file is from another build, info.reason says how badly the addresses
  // fit. Only the longest form has room for that.
  if (worst.status == ModuleStatus::kWrongBuild && !worst.info.reason.empty())
    forms.push_back(
        fmt::format("{}: {} ({}){}", share, problem, worst.info.reason, kSee));
  forms.push_back(fmt::format("{}: {}{}", share, problem, more));
  forms.push_back(fmt::format("{}: {}{}", share, problem, kSee));
  const std::string shortest = fmt::format("{}{}", share, kSee);
  if (SaysWhatHappened(worst.status))
    forms.push_back(fmt::format("{} ({}: {}){}", share, BaseName(worst.path),
                                StatusName(worst.status), kSee));
  constexpr size_t kBrackets = 3;
  const size_t used = Columns(shortest) + kBrackets;
  if (!worst.path.empty() && style.columns >= used + kShortestName)
    forms.push_back(fmt::format(
        "{} ({}){}", share,
        Shortened(BaseName(worst.path), style.columns - used), kSee));
  forms.push_back(shortest);
  return forms;
}

std::string Stacks(size_t count) { return Counted(count, "stack"); }

// Says what a filter did that neither removed a stack that has changed nor cut
// frames from one.
std::string WithoutStacks(const FilterEffect& effect, Unit unit) {
  if (effect.removed_percent != 0)
    return fmt::format(" removed no stack but {} ({}) of {}",
                       FormatAmount(effect.removed_value, unit),
                       FormatShare(effect.removed_percent),
                       Stacks(effect.left_stacks));
  if (effect.equal_stacks == 0) return " changed nothing";
  return fmt::format(" affected only {} without a difference",
                     Stacks(effect.equal_stacks));
}

// Says what a filter removed. In a comparison, that is what changed.
std::string Removed(const FilterEffect& effect, Unit unit, bool is_comparison) {
  const size_t all = effect.removed_stacks + effect.left_stacks;
  const std::string share = FormatShare(effect.removed_percent);
  if (!is_comparison)
    return fmt::format("{} of {} with {} ({})", effect.removed_stacks,
                       Stacks(all), FormatAmount(effect.removed_value, unit),
                       share);
  return fmt::format("{} of {} that changed, by {}{} ({} of all changes)",
                     effect.removed_stacks, Stacks(all),
                     PlusOf(effect.removed_value),
                     FormatAmount(effect.removed_value, unit), share);
}

// Says why a filter left nothing, if most of what it removed has no name. In a
// comparison, another message says how much has none.
std::string RemovedNameless(const FilterEffect& effect, Unit unit) {
  const double nameless = effect.removed_nameless.now;
  if (nameless == 0 || 2 * nameless < effect.removed_value) return "";
  return fmt::format("; {} of it without names, see heapprof info",
                     FormatAmount(nameless, unit));
}

// Says why a filter for a name such as "Init@a9610" left nothing. Tables add
// the address to tell functions of one name apart; filters do not see it.
std::string_view AboutAddress(std::string_view filter) {
  if (filter.ends_with('$')) filter.remove_suffix(1);
  const size_t at = filter.rfind('@');
  if (at == filter.npos || !IsAllHex(filter.substr(at + 1))) return "";
  return "; names are matched without the '@' and the address";
}

std::string Describe(const FilterEffect& effect, Unit unit,
                     bool is_comparison) {
  std::string text = fmt::format("{:.200}", effect.filter);
  if (effect.cut_stacks > 0)
    text += fmt::format(" cut frames from {}", Stacks(effect.cut_stacks));
  if (effect.removed_stacks > 0)
    text += fmt::format("{} removed {}", effect.cut_stacks > 0 ? " and" : "",
                        Removed(effect, unit, is_comparison));
  if (effect.not_own_stacks > 0)
    text += fmt::format("{} left {} as {}", effect.cut_stacks > 0 ? " and" : "",
                        Stacks(effect.not_own_stacks), kOutsideOwnCode);
  if (effect.cut_stacks + effect.removed_stacks + effect.not_own_stacks == 0)
    text += WithoutStacks(effect, unit);
  if (effect.removed_stacks > 0 && effect.left_stacks == 0)
    text += is_comparison ? ", which leaves no change to show"
                          : ", which leaves nothing to show" +
                                RemovedNameless(effect, unit);
  if (effect.removed_stacks > 0 && effect.left_stacks == 0)
    text += AboutAddress(effect.filter);
  if (!effect.own_binary.empty())
    text += fmt::format("; it matches all code of {}, by the path of the file",
                        Printable(effect.own_binary));
  return text;
}

// Returns the module with the largest share of those that `matches` and that
// have at least 1 % of the total or are the program; null if there is none.
const ModuleRow* LargestRow(const ModuleTable& modules,
                            bool (*matches)(const ModuleRow&)) {
  const ModuleRow* largest = nullptr;
  for (const ModuleRow& row : modules.rows)
    if (matches(row) &&
        (row.is_main_program || row.percent >= kNotablePercent) &&
        (largest == nullptr || row.percent > largest->percent))
      largest = &row;
  return largest;
}

// Returns the lines in which a message is printed on a terminal with so many
// columns; 0: no limit.
std::vector<std::string> MessageLines(std::string_view message,
                                      size_t columns) {
  constexpr size_t kIndent = 2;
  const std::string line = "heapprof: " + Printable(message);
  if (columns == 0 || Columns(line) <= columns) return {line};
  std::vector<std::string> lines =
      WrappedText(line, columns - std::min(columns, kIndent));
  for (std::string& further : lines | std::views::drop(1))
    further.insert(0, kIndent, ' ');
  return lines;
}

}  // namespace

std::string CoverageSummary(const ModuleTable& modules,
                            const CoverageStyle& style) {
  const ModuleRow* worst = WorstModule(modules);
  const double least = style.is_verbose ? 0 : kNotablePercent;
  if (worst == nullptr || modules.nameless_percent < least) return "";
  const std::vector<std::string> forms = SummaryForms(modules, *worst, style);
  const auto fits = [&style](const std::string& form) {
    return style.columns == 0 || Columns(form) <= style.columns;
  };
  const auto longest = std::ranges::find_if(forms, fits);
  return longest == forms.end() ? forms.back() : *longest;
}

void WarnOfDoubtfulNames(const ModuleTable& modules, Diagnostics& diagnostics) {
  if (const ModuleRow* row = LargestRow(modules, HasDoubtfulNames))
    diagnostics.Warn(
        WarningKind::kDoubtfulNames,
        fmt::format("some names in {} may be wrong: {} of {} return addresses "
                    "follow no call; see heapprof info",
                    BaseName(row->path),
                    row->info.return_addresses - row->info.after_call,
                    row->info.return_addresses));
  if (const ModuleRow* row = LargestRow(modules, HasUncheckedNames))
    diagnostics.Warn(
        WarningKind::kAssumedBuild,
        fmt::format("{}: {} has no code to check, so its names are wrong if it "
                    "is of another build; give the stripped program, too",
                    BaseName(row->path), BaseName(row->info.file)));
}

std::string NamelessText(const Sides<double>& nameless,
                         const Sides<double>& totals, Unit unit) {
  std::string sides;
  for (const Side side : {Side::kBase, Side::kNew}) {
    if (nameless[side] == 0 ||
        100 * nameless[side] < kNotablePercent * totals[side])
      continue;
    sides += fmt::format("{}{} of the {}", sides.empty() ? "" : " and ",
                         FormatAmount(nameless[side], unit),
                         side == Side::kBase ? "base" : "new side");
  }
  return sides.empty()
             ? ""
             : fmt::format("{} {} no names and {} nothing; see heapprof info",
                           sides, sides.contains(" and ") ? "have" : "has",
                           sides.contains(" and ") ? "match" : "matches");
}

std::string EmptyReason(const PreparedStacks& stacks, const Profile& profile,
                        const Options& options) {
  const uint64_t sampling_period = profile.sampling_period;
  if (!stacks.has_new_side)
    return fmt::format(
        "the dump holds no samples: profiling was not active, or the heap is "
        "small against the sampling period{}",
        sampling_period == 0 ? std::string()
                             : " of " + FormatSize(sampling_period));
  if (profile.is_comparison)
    return options.drop_negative ? "nothing grew against the base"
                                 : "no difference to the base";
  const std::optional<Metric> other = stacks.metric_with_values;
  return fmt::format("no sample has a value of the metric asked for{}",
                     other ? fmt::format("; --{} has some", MetricName(*other))
                           : std::string());
}

std::string FilterSummary(const std::vector<FilterEffect>& effects, Unit unit,
                          bool is_comparison) {
  std::string text;
  for (const FilterEffect& effect : effects) {
    if (!text.empty()) text += "; ";
    text += Describe(effect, unit, is_comparison);
  }
  return text;
}

bool NoteTags(std::string_view report, Diagnostics& diagnostics) {
  for (size_t at = report.find('@', 1); at != report.npos;
       at = report.find('@', at + 1)) {
    const size_t end = std::min(
        report.find_first_not_of("0123456789abcdef", at + 1), report.size());
    if (end == at + 1 || !IsWord(report[at - 1])) continue;
    const char next = end < report.size() ? report[end] : '\n';
    if (IsWord(next) || next == '.' || next == '/') continue;  // of a path
    diagnostics.Note(
        fmt::format("{}: overloads of one name; --names=full tells them apart",
                    report.substr(at, end - at)));
    return true;
  }
  return false;
}

std::vector<std::string> FirstOfKind(std::span<const std::string> messages,
                                     size_t count, size_t most) {
  const auto shown = messages.first(std::min(messages.size(), most));
  std::vector<std::string> lines(shown.begin(), shown.end());
  if (!lines.empty() && count > lines.size())
    lines.back() +=
        fmt::format(" (and {} more of this kind)", count - lines.size());
  return lines;
}

std::vector<std::string> Warnings(const Diagnostics& diagnostics, bool all) {
  std::vector<std::string> lines;
  for (const auto& warning : diagnostics.warnings()) {
    const size_t most = all ? warning.messages.size() : 1;
    std::ranges::move(FirstOfKind(warning.messages, warning.count, most),
                      std::back_inserter(lines));
  }
  return lines;
}

std::string MessageText(std::string_view message) {
  std::string text;
  for (const std::string& line :
       MessageLines(message, ColumnsOfStandardError()))
    text += line + '\n';
  return text;
}

size_t LinesOfMessages(const Diagnostics& diagnostics, const Options& options,
                       size_t columns) {
  if (options.quiet) return 0;
  std::vector<std::string> messages = Warnings(diagnostics, options.verbose);
  for (std::string& warning : messages) warning = "warning: " + warning;
  std::ranges::copy(diagnostics.notes(), std::back_inserter(messages));
  size_t rows = 0;
  for (const std::string& message : messages)
    for (const std::string& line : MessageLines(message, columns))
      rows += RowsOnTerminal(line, columns);
  return rows;
}

TerminalStyle StyleWithMessages(const Options& options,
                                const Diagnostics& diagnostics,
                                std::string_view last_message) {
  constexpr size_t kUsualLines = 1;
  TerminalStyle style = StyleOfStandardOutput(options.color);
  const size_t lines = LinesOfMessages(diagnostics, options, style.columns) +
                       (last_message.empty() || options.quiet ? 0 : 1);
  // 0 rows: unknown.
  if (style.rows > 0 && lines > kUsualLines)
    style.rows -= std::min(style.rows - 1, lines - kUsualLines);
  return style;
}

}  // namespace heapprof
