// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/callers_callees.h"

#include <algorithm>
#include <cmath>

#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Returns one end of `edge` as the caller or callee of the other, `middle`.
// Names have the numbers of their nodes.
CallerOrCallee CallerOrCalleeOf(const GraphNode& middle, uint32_t other,
                                const GraphEdge& edge) {
  return {
      .name = other,
      .sum = edge.sum,
      .percent = Percent(Difference(edge.sum), Difference(middle.cumulative))};
}

void SortByValue(const CallGraph& graph, std::vector<CallerOrCallee>& related) {
  std::ranges::sort(
      related, [&graph](const CallerOrCallee& a, const CallerOrCallee& b) {
        const double size_a = std::abs(Difference(a.sum));
        const double size_b = std::abs(Difference(b.sum));
        return size_a != size_b
                   ? size_a > size_b
                   : graph.nodes[a.name].name < graph.nodes[b.name].name;
      });
}

// Returns a row for each node of the graph, in the order of the nodes.
std::vector<CallersCalleesRow> AllRows(const CallGraph& graph) {
  std::vector<CallersCalleesRow> rows;
  rows.reserve(graph.nodes.size());
  for (const GraphNode& node : graph.nodes)
    rows.push_back({.name = static_cast<uint32_t>(rows.size()),
                    .flat = node.flat,
                    .cumulative = node.cumulative,
                    .flat_percent = node.flat_percent,
                    .cumulative_percent = node.cumulative_percent,
                    .callers = {},
                    .callees = {}});
  for (const GraphEdge& edge : graph.edges) {
    if (edge.caller == edge.callee) continue;
    const GraphNode& caller = graph.nodes[edge.caller];
    const GraphNode& callee = graph.nodes[edge.callee];
    rows[edge.callee].callers.push_back(
        CallerOrCalleeOf(callee, edge.caller, edge));
    rows[edge.caller].callees.push_back(
        CallerOrCalleeOf(caller, edge.callee, edge));
  }
  for (CallersCalleesRow& row : rows) {
    SortByValue(graph, row.callers);
    SortByValue(graph, row.callees);
  }
  return rows;
}

}  // namespace

Change FlatSum(const std::vector<CallersCalleesRow>& rows) {
  Change sum;
  for (const CallersCalleesRow& row : rows) sum += row.flat;
  return sum;
}

CallersCalleesTable MakeCallersCalleesTable(
    const CallGraph& graph, const CallersCalleesOptions& options) {
  CallersCalleesTable table = {
      .names = {}, .rows = AllRows(graph), .total = graph.total};
  table.names.reserve(graph.nodes.size());
  for (const GraphNode& node : graph.nodes) table.names.push_back(node.name);
  const auto key = [&options](const CallersCalleesRow& row) {
    return std::abs(
        Difference(options.sort_by_cumulative ? row.cumulative : row.flat));
  };
  std::ranges::sort(
      table.rows, [&](const CallersCalleesRow& a, const CallersCalleesRow& b) {
        return key(a) != key(b) ? key(a) > key(b)
                                : table.names[a.name] < table.names[b.name];
      });
  if (options.matches) {
    table.shown = FlatSum(table.rows);
    std::erase_if(table.rows, [&](const CallersCalleesRow& row) {
      return !options.matches(table.names[row.name]);
    });
  }
  table.all_rows = table.rows.size();
  if (options.top != 0 && table.rows.size() > options.top)
    table.rows.resize(options.top);
  if (!options.matches) table.shown = FlatSum(table.rows);
  const double total = Difference(table.total);
  double running = 0;
  for (CallersCalleesRow& row : table.rows) {
    running += Difference(row.flat);
    row.running_percent = Percent(running, total);
  }
  return table;
}

}  // namespace heapprof
