// SPDX-License-Identifier: Apache-2.0
//
// --callers and --callees.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/outputs/name_pattern.h"
#include "cli/outputs/report_request.h"
#include "heapprof/report/call_tree.h"
#include "heapprof/view/call_tree.h"

namespace heapprof {
namespace {

// Returns how many rows to print; 0 = all. On a terminal, the rows leave room
// for headings, messages and the prompt.
size_t TreeRowLimit(const TerminalStyle& style, const Options& options) {
  constexpr size_t kOtherLines = 8;
  constexpr size_t kFewest = 10;
  constexpr size_t kUnknown = 30;
  if (options.top || !style.is_terminal) return options.top.value_or(0);
  if (style.rows == 0) return kUnknown;
  return std::max(kFewest, style.rows - std::min(style.rows, kOtherLines));
}

// Notes what the tree leaves out. `limit` is the greatest number of rows that
// it may have; 0 = no limit.
void NoteHidden(const CallTree& tree, CallDirection direction, size_t limit,
                const ReportRequest& request) {
  const Options& options = request.options;
  if (tree.has_more_rows && limit == 0)
    request.diagnostics.Note("there are too many rows: the largest are shown");
  else if (tree.has_more_rows && !options.top)
    request.diagnostics.Note("the largest rows are shown; --top 0 shows all");
  if (tree.hidden_small == 0) return;
  const bool is_one = tree.hidden_small == 1;
  request.diagnostics.Note(fmt::format(
      "{} {}{} below {:g}% of the total {} left out; --nodefraction 0 shows "
      "all",
      tree.hidden_small,
      direction == CallDirection::kCallers ? "caller" : "callee",
      is_one ? "" : "s", 100 * options.least_fraction, is_one ? "is" : "are"));
}

Result<std::string> MakeReport(CallDirection direction,
                               const ReportRequest& request) {
  const Options& options = request.options;
  NamePattern pattern(*options.pattern);
  const TerminalStyle style = request.Style();
  const size_t limit = TreeRowLimit(style, options);
  const CallTree tree =
      MakeCallTree(request.profile, {.metric = options.metric,
                                     .labels = LabelsOf(options),
                                     .direction = direction,
                                     .least_fraction = options.least_fraction,
                                     .most_rows = limit,
                                     .matches = [&](std::string_view name) {
                                       return pattern.Matches(name);
                                     }});
  if (auto ok = pattern.Check(tree.matching > 0); !ok)
    return std::unexpected(ok.error());
  NoteHidden(tree, direction, limit, request);
  return WriteCallTree(tree, {.pattern = options.pattern->pattern(),
                              .direction = direction,
                              .unit = UnitOf(options),
                              .width = style.columns,
                              .draws_lines = style.utf8,
                              .color = style.color});
}

}  // namespace

Result<std::string> MakeCallersReport(const ReportRequest& request) {
  return MakeReport(CallDirection::kCallers, request);
}

Result<std::string> MakeCalleesReport(const ReportRequest& request) {
  return MakeReport(CallDirection::kCallees, request);
}

}  // namespace heapprof
