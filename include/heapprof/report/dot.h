// SPDX-License-Identifier: Apache-2.0
//
// A call graph in Graphviz's language. A box says how much a function holds
// itself and, after "of", how much it holds together with its callees. The more
// a function holds itself, the larger its text. The more it holds together with
// its callees, the deeper its colour: blue for a decrease, orange for
// everything else. Edges of inlined calls are dashed. A dotted edge leads
// across functions that are left out of the graph.
#pragma once

#include <string>

#include "heapprof/view/call_graph.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct DotOptions {
  std::string title = {};  // title of the picture: the path of the program
  Unit unit = Unit::kMegabytes;
  // Set for --heapcheck. As in jeprof, boxes then have no colour, except that
  // functions that hold something themselves are grey.
  bool mark_leaks = false;
  bool fit_page = false;  // scale to a page of 8 by 11 inches
};

std::string WriteDot(const CallGraph& graph, const DotOptions& options);

}  // namespace heapprof
