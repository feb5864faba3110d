// SPDX-License-Identifier: Apache-2.0
//
// A call graph in Graphviz's language. A box shows how much a function holds
// itself, "of" how much it holds with its callees. The text grows with the
// former, and the colour deepens with the latter: orange for values and growth,
// blue for decreases. Edges of inlined calls are dashed; edges that bridge
// left-out functions are dotted.
#pragma once

#include <string>

#include "heapprof/view/call_graph.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct DotOptions {
  std::string title = {};  // of the picture: the program's name
  Unit unit = Unit::kMegabytes;
  // jeprof's --heapcheck: uses grey boxes for functions that hold something
  // themselves, instead of colours.
  bool mark_leaks = false;
  bool fit_page = false;  // scale to a page of 8 by 11 inches
};

std::string WriteDot(const CallGraph& graph, const DotOptions& options);

}  // namespace heapprof
