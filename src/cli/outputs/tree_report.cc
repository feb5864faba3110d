// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/outputs/name_pattern.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/tree.h"
#include "heapprof/view/call_graph.h"
#include "heapprof/view/callers_callees.h"
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
  NamePattern pattern(*request.options.pattern);
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

std::string WriteNeighbours(
    const CallGraph& graph,
    const std::function<bool(const std::string&)>& matches,
    const ReportRequest& request) {
  const size_t top = RowLimit(request);
  const CallersCalleesTable table = MakeCallersCalleesTable(
      graph, {.sort_by_cumulative = request.options.sort_by_cumulative,
              .top = top,
              .matches = matches});
  NoteMoreRows(table.all_rows, top, request);
  return WriteTree(table, UnitOf(request.options), request.Style().columns);
}

}  // namespace

Result<std::string> MakeTreeReport(const ReportRequest& request) {
  return WriteNeighbours(WholeCallGraph(request), nullptr, request);
}

Result<std::string> MakePeekReport(const ReportRequest& request) {
  const CallGraph graph = WholeCallGraph(request);
  const auto names = PeekedNames(graph, request);
  if (!names) return std::unexpected(names.error());
  return WriteNeighbours(
      graph,
      [&names](const std::string& name) { return names->contains(name); },
      request);
}

}  // namespace heapprof
