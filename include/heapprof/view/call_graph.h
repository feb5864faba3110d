// SPDX-License-Identifier: Apache-2.0
//
// Who calls whom, and what is held through each call: the nodes and edges of
// the picture and of the reports that show a function among its neighbours.
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
  double flat_percent = 0;  // of the graph's total
  double cumulative_percent = 0;
};

struct GraphEdge {
  uint32_t caller = 0;  // indices of nodes
  uint32_t callee = 0;
  // Of the stacks with this call; a recursive call counts once per stack.
  double value = 0;
  // Some of these stacks have hidden nodes in between.
  bool residual = false;
  bool inlined = false;  // the call is inlined in all of them
};

struct CallGraph {
  std::vector<GraphNode> nodes;  // largest absolute cumulative value first
  std::vector<GraphEdge> edges;  // largest absolute value first, then by node
  double total = 0;              // of the stacks that filters left
  double unfiltered = 0;         // of all
  size_t hidden_nodes = 0;
  double largest_hidden = 0;  // of their cumulative values, absolute
};

// jeprof's limits; 0 means none of them.
struct GraphLimits {
  size_t node_count = 80;
  double node_fraction = 0.005;  // of the total
  double edge_fraction = 0.001;
  size_t degree = 8;  // of callers, and of callees, per node
};

struct CallGraphOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  GraphLimits limits = {};
};

// Nodes that hold nothing are left out in any case. Where nodes in the middle
// of a stack are left out, an edge leads across them. Edges are left out when
// they are below the limit or their ends have enough of them already, but
// never the largest that leads to a node. Calls inside a file or a module are
// no edges where nodes are files or modules.
CallGraph MakeCallGraph(const Profile& profile,
                        const CallGraphOptions& options);

}  // namespace heapprof
