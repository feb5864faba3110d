// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/requested_tables.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "cli/outputs/name_pattern.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/view/call_graph.h"
#include "heapprof/view/matching_labels.h"

namespace heapprof {
namespace {

CallGraph WholeCallGraph(const ReportRequest& request) {
  return MakeCallGraph(request.profile, {.metric = request.options.metric,
                                         .labels = LabelsOf(request.options),
                                         .limits = {0, 0, 0, 0}});
}

// Returns the names of the nodes that the pattern of --peek matches.
Result<std::set<std::string>> PeekedNames(const CallGraph& graph,
                                          const ReportRequest& request) {
  NamePattern pattern(*request.options.pattern, request.profile);
  const FrameLabels labels(request.profile, LabelsOf(request.options));
  const std::vector<bool> wanted = MatchingLabels(
      request.profile, labels,
      [&](std::string_view name) { return pattern.Matches(name); });
  std::set<std::string> names;
  for (uint32_t id = 0; id < labels.size(); ++id)
    if (wanted[id]) names.insert(labels.Text(id));
  const bool any_matches = std::ranges::any_of(
      graph.nodes,
      [&](const GraphNode& node) { return names.contains(node.name); });
  if (auto ok = pattern.Check(any_matches); !ok)
    return std::unexpected(ok.error());
  return names;
}

// Shortens a table to the screen, so that its first row stays there. Returns
// how many callers and callees of the remaining rows were left out.
size_t FitScreen(size_t screen_rows, CallersCalleesTable& table) {
  constexpr size_t kOtherLines = 8;
  constexpr size_t kLinesOfRow = 2;  // its own, and the rule below it
  constexpr size_t kFewest = 3;
  const size_t room = screen_rows - std::min(screen_rows, kOtherLines);
  size_t left_out = 0;
  const auto shorten = [&left_out](std::vector<CallerOrCallee>& related,
                                   size_t most) {
    left_out += related.size() - std::min(related.size(), most);
    related.resize(std::min(related.size(), most));
  };
  size_t lines = 0;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    CallersCalleesRow& row = table.rows[i];
    if (i == 0) {
      const size_t most = std::max(kFewest, room / 2 - 1);
      shorten(row.callers, most);
      shorten(row.callees, most);
    }
    lines += row.callers.size() + kLinesOfRow + row.callees.size();
    if (i == 0 || lines <= room) continue;
    table.rows.resize(i);
    break;
  }
  return left_out;
}

CallersCalleesTable CallersCalleesOf(
    const CallGraph& graph,
    const std::function<bool(const std::string&)>& matches,
    const ReportRequest& request) {
  const size_t top = RowLimit(request);
  CallersCalleesTable table = MakeCallersCalleesTable(
      graph, {.sort_by_cumulative = request.options.sort_by_cumulative,
              .top = top,
              .matches = matches});
  const size_t screen_rows = request.Style().rows;
  if (request.options.top || screen_rows == 0) {
    NoteMoreRows(table.all_rows, top, request);
    return table;
  }
  const size_t left_out = FitScreen(screen_rows, table);
  if (!matches) table.shown = FlatSum(table.rows);
  if (left_out != 0)
    request.diagnostics.Note(fmt::format(
        "{} of {}; --top 0 shows all",
        Counted(left_out, "more caller or callee", "more callers and callees"),
        Printable(table.names[table.rows[0].name])));
  NoteMoreRows(table.all_rows, table.rows.size(), request);
  return table;
}

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

// Tells the user what the tree leaves out. `limit` is the greatest number of
// rows that it may have; 0 = no limit.
void NoteHidden(const CallTree& tree, CallDirection direction, size_t limit,
                const ReportRequest& request) {
  const Options& options = request.options;
  if (tree.has_more_rows && limit == 0)
    request.diagnostics.Note("there are too many rows: the largest are shown");
  else if (tree.has_more_rows && !options.top)
    request.diagnostics.Note("the largest rows are shown; --top 0 shows all");
  if (tree.hidden_small == 0) return;
  request.diagnostics.Note(fmt::format(
      "{} below {:g}% {} left out; --nodefraction 0 shows all",
      Counted(tree.hidden_small,
              direction == CallDirection::kCallers ? "caller" : "callee"),
      100 * options.least_fraction, tree.hidden_small == 1 ? "is" : "are"));
}

}  // namespace

CallersCalleesTable CallersCalleesOfAll(const ReportRequest& request) {
  return CallersCalleesOf(WholeCallGraph(request), nullptr, request);
}

Result<CallersCalleesTable> CallersCalleesOfMatches(
    const ReportRequest& request) {
  const CallGraph graph = WholeCallGraph(request);
  const auto names = PeekedNames(graph, request);
  if (!names) return std::unexpected(names.error());
  return CallersCalleesOf(
      graph,
      [&names](const std::string& name) { return names->contains(name); },
      request);
}

Result<CallTree> CallTreesOfMatches(CallDirection direction,
                                    const ReportRequest& request) {
  const Options& options = request.options;
  NamePattern pattern(*options.pattern, request.profile);
  const size_t limit = TreeRowLimit(request.Style(), options);
  CallTree tree =
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
  return tree;
}

TraceTable LargestTraces(const ReportRequest& request) {
  const Options& options = request.options;
  TraceTable table =
      MakeTraces(request.profile, options.metric, LabelsOf(options));
  const size_t top = RowLimit(request);
  NoteMoreRows(table.traces.size(), top, request);
  if (top != 0 && table.traces.size() > top) table.traces.resize(top);
  return table;
}

}  // namespace heapprof
