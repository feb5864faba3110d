// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/callers_callees.h"

#include <algorithm>
#include <cmath>

#include "heapprof/view/units.h"

namespace heapprof {
namespace {

CallerOrCallee CallerOrCalleeOf(const GraphNode& middle, const GraphNode& other,
                                const GraphEdge& edge) {
  return {.name = other.name,
          .value = edge.value,
          .percent = Percent(edge.value, middle.cumulative)};
}

void SortByValue(std::vector<CallerOrCallee>& related) {
  std::ranges::sort(
      related, [](const CallerOrCallee& a, const CallerOrCallee& b) {
        const double size_a = std::abs(a.value), size_b = std::abs(b.value);
        return size_a != size_b ? size_a > size_b : a.name < b.name;
      });
}

// Returns a row for each node of the graph, in the order of the nodes.
std::vector<CallersCalleesRow> AllRows(const CallGraph& graph) {
  std::vector<CallersCalleesRow> rows;
  for (const GraphNode& node : graph.nodes)
    rows.push_back({.name = node.name,
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
    rows[edge.callee].callers.push_back(CallerOrCalleeOf(callee, caller, edge));
    rows[edge.caller].callees.push_back(CallerOrCalleeOf(caller, callee, edge));
  }
  for (CallersCalleesRow& row : rows) {
    SortByValue(row.callers);
    SortByValue(row.callees);
  }
  return rows;
}

double FlatSum(const std::vector<CallersCalleesRow>& rows) {
  double sum = 0;
  for (const CallersCalleesRow& row : rows) sum += row.flat;
  return sum;
}

}  // namespace

CallersCalleesTable MakeCallersCalleesTable(
    const CallGraph& graph, const CallersCalleesOptions& options) {
  CallersCalleesTable table = {.rows = AllRows(graph), .total = graph.total};
  const auto key = [&options](const CallersCalleesRow& row) {
    return std::abs(options.sort_by_cumulative ? row.cumulative : row.flat);
  };
  std::ranges::sort(
      table.rows, [&](const CallersCalleesRow& a, const CallersCalleesRow& b) {
        return key(a) != key(b) ? key(a) > key(b) : a.name < b.name;
      });
  if (options.matches) {
    table.shown = FlatSum(table.rows);
    std::erase_if(table.rows, [&options](const CallersCalleesRow& row) {
      return !options.matches(row.name);
    });
  }
  table.all_rows = table.rows.size();
  if (options.top != 0 && table.rows.size() > options.top)
    table.rows.resize(options.top);
  if (!options.matches) table.shown = FlatSum(table.rows);
  double running = 0;
  for (CallersCalleesRow& row : table.rows) {
    running += row.flat;
    row.running_percent = Percent(running, table.total);
  }
  return table;
}

}  // namespace heapprof
