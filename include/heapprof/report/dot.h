// SPDX-License-Identifier: Apache-2.0
//
// A call graph in Graphviz's language. Boxes show what a function holds itself
// and "of" how much with what it calls; their text grows with the former,
// their colour deepens with the latter: orange for what is held or grew, blue
// for what shrank. Edges are dashed for inlined calls and dotted where they
// lead across functions that are left out.
#pragma once

#include <string>

#include "heapprof/view/call_graph.h"
#include "heapprof/view/units.h"

namespace heapprof {

struct DotOptions {
  std::string title = {};  // of the picture: the program
  Unit unit = Unit::kMegabytes;
  // jeprof's --heapcheck: grey boxes for functions that hold something
  // themselves, instead of the colours.
  bool mark_leaks = false;
  bool fit_page = false;  // scale to a page of 8 by 11 inches
};

std::string WriteDot(const CallGraph& graph, const DotOptions& options);

}  // namespace heapprof
