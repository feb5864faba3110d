// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/call_graph.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <tuple>
#include <utility>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/units.h"
#include "view/label_sums.h"

namespace heapprof {
namespace {

constexpr uint32_t kHidden = UINT32_MAX;

// Converts a fraction of the graph's total to a limit for absolute values.
// Truncates the limit to a whole number, as jeprof does.
double Limit(double fraction, const CallGraph& graph) {
  return std::trunc(fraction * std::abs(Difference(graph.total)));
}

// Returns by what nodes are ordered and hidden: the cumulative value, unless,
// in a comparison, changes of the callees cancel that of the function itself.
double SizeOf(const LabelChange& sum) {
  return std::max(std::abs(Difference(sum.cumulative)),
                  std::abs(Difference(sum.flat)));
}

// Adds the nodes that the limits allow to `graph`. Returns the node of each
// label, or kHidden for a label that has none.
std::vector<uint32_t> ChooseNodes(const FrameLabels& labels,
                                  const std::vector<LabelChange>& sums,
                                  const GraphLimits& limits, CallGraph& graph) {
  std::vector<uint32_t> order;
  for (uint32_t label = 0; label < sums.size(); ++label)
    if (!sums[label].IsZero()) order.push_back(label);
  const auto size = [&sums](uint32_t label) { return SizeOf(sums[label]); };
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    return size(a) != size(b) ? size(a) > size(b)
                              : labels.Text(a) < labels.Text(b);
  });
  const double limit = Limit(limits.node_fraction, graph);
  const auto hidden = std::ranges::find_if(
      order, [&](uint32_t label) { return size(label) <= limit; });
  size_t kept = static_cast<size_t>(hidden - order.begin());
  if (limits.node_count != 0) kept = std::min(kept, limits.node_count);
  graph.hidden_nodes = order.size() - kept;
  if (kept < order.size()) graph.largest_hidden = size(order[kept]);
  order.resize(kept);

  const double total = Difference(graph.total);
  std::vector<uint32_t> node_of(sums.size(), kHidden);
  for (const uint32_t label : order) {
    const auto& [flat, cumulative] = sums[label];
    node_of[label] = static_cast<uint32_t>(graph.nodes.size());
    graph.nodes.push_back(
        {.name = labels.Text(label),
         .flat = flat,
         .cumulative = cumulative,
         .flat_percent = Percent(Difference(flat), total),
         .cumulative_percent = Percent(Difference(cumulative), total)});
  }
  return node_of;
}

std::vector<Change> CumulativeOf(const std::vector<LabelChange>& sums) {
  std::vector<Change> changes;
  for (const LabelChange& sum : sums) changes.push_back(sum.cumulative);
  return changes;
}

// All labels are judged together: the nodes are those that changed most. Does
// nothing if every change counts.
void MarkChance(const ErrorBars& judge, const std::vector<LabelChange>& shown,
                const std::vector<LabelChange>& judged,
                const std::vector<uint32_t>& node_of, CallGraph& graph) {
  if (judge.exactness() != Exactness::kEstimated) return;
  const std::vector<bool> proven =
      judge.FindProven(CumulativeOf(shown), CumulativeOf(judged));
  for (size_t label = 0; label < proven.size(); ++label)
    if (node_of[label] != kHidden)
      graph.nodes[node_of[label]].may_be_chance = !proven[label];
}

// Adds up the values of edges, stack by stack. Stacks that have not changed
// count, too: without them, an edge could differ by a byte from the node to
// which it leads, because each side is rounded (see WholeChange()). If
// `shows_loops` is false, a node has no edge to itself.
class EdgeCollector {
 public:
  explicit EdgeCollector(bool shows_loops) : shows_loops_(shows_loops) {}

  void StartStack(const StackChange& change) {
    sides_ = change.sides;
    has_changed_ = change.value() != 0;
    ++stack_number_;
    caller_ = kHidden;
    crossed_hidden_ = false;
  }

  // Call this for each frame of a stack, beginning at the root.
  void AddFrame(uint32_t node, bool inlined) {
    if (node == kHidden) {
      crossed_hidden_ = true;
      return;
    }
    // If a node reaches itself only through hidden nodes, it is not shown as
    // calling itself.
    const bool hides_loop = crossed_hidden_ || !shows_loops_;
    if (caller_ != kHidden && !(hides_loop && caller_ == node))
      AddEdge(caller_, node, inlined);
    caller_ = node;
    crossed_hidden_ = false;
  }

  std::vector<GraphEdge> Edges() && {
    std::vector<GraphEdge> edges;
    for (const Entry& entry : entries_)
      if (Difference(entry.edge.sum) != 0) edges.push_back(entry.edge);
    std::ranges::sort(edges, {}, [](const GraphEdge& edge) {
      return std::tuple(-std::abs(Difference(edge.sum)), edge.caller,
                        edge.callee);
    });
    return edges;
  }

 private:
  struct Entry {
    GraphEdge edge;
    size_t last_stack = 0;
  };

  void AddEdge(uint32_t caller, uint32_t callee, bool inlined) {
    Entry& entry = EntryOf(caller, callee);
    if (has_changed_) {
      entry.edge.residual |= crossed_hidden_;
      entry.edge.inlined &= inlined;
    }
    if (std::exchange(entry.last_stack, stack_number_) != stack_number_)
      entry.edge.sum += sides_;
  }

  Entry& EntryOf(uint32_t caller, uint32_t callee) {
    const uint32_t i = index_.FindOrAddIndex(
        HashOfPair(caller, callee), entries_.size(), [&](uint32_t known) {
          const GraphEdge& edge = entries_[known].edge;
          return edge.caller == caller && edge.callee == callee;
        });
    if (i == entries_.size())
      entries_.push_back(
          {.edge = {.caller = caller, .callee = callee, .inlined = true}});
    return entries_[i];
  }

  const bool shows_loops_;
  std::vector<Entry> entries_;
  IdTable index_;      // of `entries_`
  Change sides_ = {};  // of the stack
  bool has_changed_ = false;
  size_t stack_number_ = 0;
  uint32_t caller_ = kHidden;  // none at the root
  bool crossed_hidden_ = false;
};

std::vector<GraphEdge> CollectEdges(const Profile& profile,
                                    const FrameLabels& labels,
                                    const CallGraphOptions& options,
                                    const std::vector<uint32_t>& node_of) {
  const Granularity granularity = options.labels.granularity;
  EdgeCollector collector(granularity != Granularity::kFiles &&
                          granularity != Granularity::kModules);
  for (const StackChange& change :
       ChangesByStack(profile, profile.samples, options.metric)) {
    collector.StartStack(change);
    for (LocationId frame :
         profile.StackFrames(change.stack) | std::views::reverse) {
      const auto names = labels.Of(frame);
      for (size_t i = names.size(); i-- > 0;)
        collector.AddFrame(node_of[names[i]], i + 1 != names.size());
    }
  }
  return std::move(collector).Edges();
}

void PruneEdges(const GraphLimits& limits, CallGraph& graph) {
  const double limit = Limit(limits.edge_fraction, graph);
  std::vector<size_t> callees(graph.nodes.size());
  std::vector<size_t> callers(graph.nodes.size());
  std::erase_if(graph.edges, [&](const GraphEdge& edge) {
    size_t& out = callees[edge.caller];
    size_t& in = callers[edge.callee];
    const bool full =
        limits.degree != 0 && (out >= limits.degree || in >= limits.degree);
    if (in != 0 && (full || std::abs(Difference(edge.sum)) <= limit))
      return true;
    ++out;
    ++in;
    return false;
  });
}

}  // namespace

CallGraph MakeCallGraph(const Profile& profile,
                        const CallGraphOptions& options) {
  const FrameLabels labels(profile, options.labels);
  const Metric judge = JudgingMetric(profile, options.metric);
  std::vector<Metric> metrics = {options.metric};
  if (options.judges_changes) metrics.push_back(judge);
  const SumsOfMetrics sums_of(profile, profile.samples, labels, metrics);
  const std::vector<LabelChange>& sums = sums_of.Of(options.metric);
  CallGraph graph;
  graph.total = TotalChange(profile, options.metric);
  graph.unfiltered = UnfilteredTotal(profile, options.metric);
  const std::vector<uint32_t> node_of =
      ChooseNodes(labels, sums, options.limits, graph);
  if (options.judges_changes)
    MarkChance(ErrorBars(profile, judge), sums, sums_of.Of(judge), node_of,
               graph);
  graph.edges = CollectEdges(profile, labels, options, node_of);
  PruneEdges(options.limits, graph);
  return graph;
}

}  // namespace heapprof
