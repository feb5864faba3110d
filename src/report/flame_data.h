// SPDX-License-Identifier: Apache-2.0
//
// The frames of a flame graph for the script in the picture, as JSON:
//
//   {"names": ["main", "ns::f(int)"],     of labels
//    "short": [0, "ns::f"],               0: like the name
//    "modules": ["", "/srv/server"],
//    "module": [1, 1],                    of labels: indices of modules
//    "color": [0, 2], "own": [1, 0],      of labels
//    "label": [-1, 0, 1, -1],             of frames, in preorder; -1: the
//                                         first frame, or others
//    "depth": [0, 1, 2, 2],
//    "now": [0, 0, 4096, 512],            what the frame holds itself
//    "before": [0, 0, 0, 0],              in a comparison: on the base side
//    "changed": [0, 2],                   in a comparison: the frames that have
//                                         changed
//    "strictness": 1.3,                   FlameGraph::strictness, if it is set
//    "below": [9, 9, 9, 1],               from the value, or its change, down
//    "above": [9, 9, 9, 5],               and up to the bounds of its interval
//    "samples": [3, 3, 2, 1],             the sampled objects it comes from
//    "others": [[3, 17]],                 frames that sum up others, and how
//                                         many
//    "side": 0, ...}                      and what FlamegraphOptions says
#pragma once

#include "heapprof/base/byte_sink.h"
#include "heapprof/report/flamegraph_options.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_tree.h"
#include "report/flame_colors.h"

namespace heapprof {

// The text is pure ASCII and may be part of a CDATA section.
void WriteFlameData(const FrameTree& tree, const FlameGraph& graph,
                    const FlamegraphOptions& options, const FlameColors& colors,
                    ByteSink& out);

}  // namespace heapprof
