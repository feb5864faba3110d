// SPDX-License-Identifier: Apache-2.0
//
// Who calls whom, and how much is held through each call: the nodes and edges
// of the graph and of the reports that show a function with its callers and
// callees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct GraphNode {
  std::string name;
  double flat = 0;
  double cumulative = 0;
  double flat_percent = 0;  // percentage of the graph's total
  double cumulative_percent = 0;
};

struct GraphEdge {
  uint32_t caller = 0;  // indices of nodes
  uint32_t callee = 0;
  // The sum of the stacks with this call; a recursive call counts once per
  // stack.
  double value = 0;
  // In some of these stacks there are hidden nodes between the two.
  bool residual = false;
  bool inlined = false;  // the call is inlined in all of them
};

struct CallGraph {
  std::vector<GraphNode> nodes;  // largest absolute cumulative value first
  std::vector<GraphEdge> edges;  // largest absolute value first, then by node
  double total = 0;              // after filters
  double unfiltered = 0;         // before filters
  size_t hidden_nodes = 0;
  double largest_hidden = 0;  // their largest absolute cumulative value
};

// jeprof's limits; 0 means no limit.
struct GraphLimits {
  size_t node_count = 80;
  double node_fraction = 0.005;  // fraction of the total
  double edge_fraction = 0.001;
  size_t degree = 8;  // most callers, and most callees, per node
};

struct CallGraphOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  GraphLimits limits = {};
};

// Nodes that hold nothing are always left out. If nodes in the middle of a
// stack are left out, an edge bridges them. An edge is left out if it is below
// the limit or if its ends already have enough edges, but the largest edge to a
// node always stays. If nodes are files or modules, calls within a node are not
// edges.
CallGraph MakeCallGraph(const Profile& profile,
                        const CallGraphOptions& options);

}  // namespace heapprof
