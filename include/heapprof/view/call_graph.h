// SPDX-License-Identifier: Apache-2.0
//
// Who calls whom, and how much is held through each call. --dot and the
// pictures draw this graph; --tree and --peek list the callers and callees of
// its nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

struct GraphNode {
  std::string name;
  Change flat = {};
  Change cumulative = {};
  double flat_percent = 0;  // percentage of the graph's total
  double cumulative_percent = 0;
  // Set only if CallGraphOptions::judges_changes is true: sampling may explain
  // the change of `cumulative`.
  bool may_be_chance = false;
};

struct GraphEdge {
  uint32_t caller = 0;  // index of CallGraph::nodes, as is `callee`
  uint32_t callee = 0;
  // What the stacks with this call hold. A stack counts once, even if it
  // contains the call several times.
  Change sum = {};
  // True if in some of these stacks the caller reaches the callee only through
  // nodes that are left out of the graph.
  bool residual = false;
  bool inlined = false;  // true if the call is inlined in all these stacks
};

struct CallGraph {
  std::vector<GraphNode> nodes;  // largest absolute cumulative value first
  std::vector<GraphEdge> edges;  // largest absolute value first, then by node
  Change total = {};             // sum of the stacks that filters left
  Change unfiltered = {};        // sum of all stacks, before filters
  size_t hidden_nodes = 0;       // nodes that were left out due to limits
  // Largest absolute cumulative value of a hidden node.
  double largest_hidden = 0;
};

// What the graph leaves out. The defaults are jeprof's; 0 means no limit.
struct GraphLimits {
  size_t node_count = 80;
  double node_fraction = 0.005;  // of the total: smaller nodes are left out
  double edge_fraction = 0.001;  // of the total: smaller edges are left out
  // At most this many callers and this many callees per node.
  size_t degree = 8;
};

struct CallGraphOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  GraphLimits limits = {};
  bool judges_changes = false;
};

// Leaves out nodes that hold nothing, and nodes beyond the limits. If nodes in
// the middle of a stack are left out, an edge joins the nodes around them.
// Leaves out an edge if it is smaller than edge_fraction, or if its caller or
// callee already has `degree` larger edges, but always keeps the largest edge
// to each node. If nodes are files or modules, calls within a node are not
// edges.
CallGraph MakeCallGraph(const Profile& profile,
                        const CallGraphOptions& options);

}  // namespace heapprof
