// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/comparison_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cli/inputs/comparison.h"
#include "cli/outputs/next_commands.h"
#include "cli/outputs/own_calls.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/report/comparison.h"
#include "heapprof/report/next_commands.h"
#include "heapprof/view/comparison.h"

namespace heapprof {
namespace {

// Returns how many rows for changed entries to print; 0 = all. On a terminal,
// they fit on the screen together with the header, the total, the row for
// everything that did not change, the next commands, two messages and the
// prompt; and with `others`, the rows that are not always there.
size_t ChangedRows(const ReportRequest& request, size_t rows_in_pipe,
                   size_t others) {
  constexpr size_t kOtherLines = 16, kFewest = 5;
  const size_t rows = request.Style().rows;
  if (!request.options.top && !request.Style().is_terminal) return rows_in_pipe;
  if (request.options.top || rows == 0) return RowLimit(request);
  return std::max(kFewest, rows - std::min(rows, kOtherLines + others));
}

CompareBy EntriesOf(Granularity granularity) {
  if (granularity == Granularity::kFiles) return CompareBy::kFile;
  if (granularity == Granularity::kModules) return CompareBy::kModule;
  if (granularity == Granularity::kGroups) return CompareBy::kGroup;
  return CompareBy::kFunction;
}

// The call that each stack is charged to, and the heading of the column of
// names, such as "function of your code". If `calls` is empty, each stack
// counts for all functions in it.
struct Charges {
  CallsOfStacks calls = {};
  std::string heading = {};
};

// Returns the calls that stacks are charged to: as in the overview, those in
// the user's own code or, if no own code is known, those that allocated.
// Modules are charged for what they allocate, groups for their stacks. With
// --cum, a stack counts for all functions in it.
Charges ChargesOf(const ReportRequest& request, CompareBy by) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  const std::string noun(CompareByName(by));
  if (by == CompareBy::kGroup) return {.heading = noun};
  if (options.sort_by_cumulative)
    return {.heading = noun + ", with what it calls"};
  if (by != CompareBy::kModule) {
    CallsOfStacks calls = OwnCalls(profile, *request.own_code, options);
    if (ChargesAny(calls, profile))
      return {std::move(calls), noun + " of your code"};
  }
  return {LeafCalls(profile), noun};
}

std::vector<std::string> CommandsAfter(const Comparison& comparison,
                                       const ReportRequest& request) {
  std::vector<SizedName> changed;
  if (comparison.by == CompareBy::kFunction)
    for (const ComparisonEntry& entry : comparison.entries)
      if (entry.HasChanged() && entry.key != kOutsideOwnCode)
        changed.push_back({entry.name, entry.change});
  return NextCommands(changed, PageOutput("growth"), request);
}

}  // namespace

std::string ComparisonText(const ReportRequest& request, size_t rows_in_pipe) {
  const Options& options = request.options;
  const CompareBy by = EntriesOf(options.rows);
  Charges charges = ChargesOf(request, by);
  const Comparison comparison =
      Compare(request.profile, {.metric = options.metric,
                                .by = by,
                                .names = LabelsOf(options).names,
                                .calls = std::move(charges.calls)});
  const TerminalStyle style = request.Style();
  std::vector<StoryChain> story;
  if (by == CompareBy::kFunction)
    story = StoryOf(request.profile, *request.own_code, options,
                    ChainsOnScreen(style.rows));
  const size_t story_lines = story.empty() ? 0 : story.size() + 1;
  std::vector<std::string> commands = CommandsAfter(comparison, request);
  const size_t wrapped_rows =
      RowsOfNextLines(commands, style.columns) - commands.size();
  const size_t rows =
      ChangedRows(request, rows_in_pipe, story_lines + wrapped_rows);
  NoteMoreRows(static_cast<size_t>(std::ranges::count_if(
                   comparison.entries, &ComparisonEntry::HasChanged)),
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
