// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/comparison_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cli/outputs/compared_dumps.h"
#include "cli/outputs/next_commands.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/report/comparison.h"
#include "heapprof/report/next_commands.h"
#include "heapprof/view/comparison.h"

namespace heapprof {
namespace {

constexpr size_t kFewestRows = 3;

// Returns how many rows for changed entries a terminal has room for, together
// with the header, the total, the row for everything that did not change, two
// messages and the prompt; and with `others`, the lines that are not always
// there.
size_t RowsBeside(size_t others, const TerminalStyle& style) {
  constexpr size_t kOtherLines = 14;
  return style.rows - std::min(style.rows, kOtherLines + others);
}

// Returns how many rows for changed entries to print; 0 = all.
size_t ChangedRows(const ReportRequest& request, size_t rows_in_pipe,
                   size_t others) {
  const TerminalStyle style = request.Style();
  if (!request.options.top && !style.is_terminal) return rows_in_pipe;
  if (request.options.top || style.rows == 0) return RowLimit(request);
  return std::max(kFewestRows, RowsBeside(others, style));
}

CompareBy EntriesOf(Granularity granularity) {
  if (granularity == Granularity::kFiles) return CompareBy::kFile;
  if (granularity == Granularity::kModules) return CompareBy::kModule;
  if (granularity == Granularity::kGroups) return CompareBy::kGroup;
  return CompareBy::kFunction;
}

// Returns the calls that stacks are charged to. Modules are charged for what
// they allocate. If there are no calls, groups are charged for their stacks,
// and with --cum, a stack counts for all functions in it.
ChargedCalls ChargesOf(const ReportRequest& request, CompareBy by) {
  const std::string noun(CompareByName(by));
  if (by == CompareBy::kGroup) return {.calls = {}, .heading = noun};
  if (request.options.sort_by_cumulative)
    return {.calls = {}, .heading = noun + ", with what it calls"};
  if (by == CompareBy::kModule) return {LeafCalls(request.profile), noun};
  return OwnOrLeafCalls(request.profile, *request.own_code, request.options,
                        noun);
}

std::vector<std::string> CommandsAfter(const Comparison& comparison,
                                       const ReportRequest& request) {
  std::vector<SizedName> changed;
  if (comparison.by == CompareBy::kFunction)
    for (const ComparisonEntry& entry : comparison.entries)
      if (entry.has_changed && entry.key != kOutsideOwnCode)
        changed.push_back({entry.name, entry.change});
  return NextCommands(changed, PageOutput("growth"), request);
}

}  // namespace

std::string ComparisonText(const ReportRequest& request, size_t rows_in_pipe) {
  const Options& options = request.options;
  const CompareBy by = EntriesOf(options.rows);
  ChargedCalls charges = ChargesOf(request, by);
  const Comparison comparison =
      Compare(request.profile, {.metric = options.metric,
                                .by = by,
                                .names = LabelsOf(options).names,
                                .calls = std::move(charges.calls)});
  const TerminalStyle style = request.Style();
  std::vector<StoryChain> story = StoryOf(request.profile, *request.own_code,
                                          options, ChainsOnScreen(style.rows));
  const size_t story_lines = story.empty() ? 0 : story.size() + 1;
  std::vector<std::string> commands = CommandsAfter(comparison, request);
  const auto others = [&] {
    const size_t other_group = by == CompareBy::kGroup ? 1 : 0;
    return story_lines + other_group + RowsOfNextLines(commands, style.columns);
  };
  // On a low screen, rows are worth more than a second command.
  if (style.rows != 0 && commands.size() > 1 &&
      RowsBeside(others(), style) < kFewestRows)
    commands.resize(1);
  const size_t rows = ChangedRows(request, rows_in_pipe, others());
  NoteMoreRows(static_cast<size_t>(std::ranges::count_if(
                   comparison.entries, &ComparisonEntry::has_changed)),
               rows, request);
  return WriteComparison(comparison,
                         {.dumps = DumpsBySide(request.inputs.facts),
                          .heading = std::move(charges.heading),
                          .rows = rows,
                          .story = std::move(story),
                          .commands = std::move(commands),
                          .width = style.columns,
                          .color = style.color});
}

}  // namespace heapprof
