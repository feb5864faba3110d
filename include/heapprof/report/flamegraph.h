// SPDX-License-Identifier: Apache-2.0
//
// A flame graph as one SVG file that needs nothing else: a box for each frame,
// as wide as what it holds, on top of its caller. In a browser, a script in the
// file zooms, searches and shows details. Without scripts, the whole graph is
// there, with the names that fit.
#pragma once

#include "heapprof/base/byte_sink.h"
#include "heapprof/report/flamegraph_options.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

// Draws `graph`, which was made from `tree`. At least one of its sides must
// hold something. In a comparison, the widths show the new side, unless it
// holds nothing; the script can show the base side instead. The first frame is
// as wide as the picture without a margin of 10 pixels on either side.
void WriteFlamegraph(const FrameTree& tree, const FlameGraph& graph,
                     const FlamegraphOptions& options, ByteSink& out);

}  // namespace heapprof
