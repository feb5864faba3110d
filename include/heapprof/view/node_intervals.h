// SPDX-License-Identifier: Apache-2.0
//
// How exact the values of a calling-context tree are, for reports that show all
// of the tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/stats/interval.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

struct NodeInterval {
  uint32_t node = 0;  // index of FrameTree::nodes
  Interval interval;  // as FlameFrame::interval
};

// Returns the intervals in the order of the tree; without error bars, there are
// none. `column` and `errors` are as for MakeFlameGraph(). Only nodes with at
// least this share of the whole have intervals, because intervals make reports
// larger and the error of a small node matters little.
std::vector<NodeInterval> MakeNodeIntervals(const FrameTree& tree,
                                            size_t column,
                                            const ErrorBars& errors,
                                            double least_share = 0.001);

}  // namespace heapprof
