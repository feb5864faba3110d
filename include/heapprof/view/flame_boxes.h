// SPDX-License-Identifier: Apache-2.0
//
// Where the boxes of a flame graph are. The script in the picture places them
// by the same rules, whenever someone zooms.
#pragma once

#include <cstdint>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/flame_graph.h"

namespace heapprof {

enum class BoxKind : uint8_t {
  kFrame,   // one frame
  kOthers,  // children that are too thin to be seen, with their descendants
  kDeeper,  // all descendants: they are too deep to be shown
};

struct FlameBox {
  BoxKind kind = BoxKind::kFrame;
  // Index of FlameGraph::frames: the frame or, for a box of others or deeper
  // frames, their parent.
  uint32_t frame = 0;
  uint32_t depth = 0;
  double x = 0;  // in pixels, from the left edge of the widest box
  double width = 0;
  // Of a box of others or deeper frames: the sum of the frames that it stands
  // for, whose number is FlameFrame::others. Their errors are independent.
  FlameFrame sum = {};
};

struct FlameBoxOptions {
  // In a comparison: the side whose values are the widths.
  Side side = Side::kNew;
  double width = 1180;         // of the widest box, in pixels
  double min_width = 0.5;      // frames that are thinner become part of others
  uint32_t most_levels = 400;  // boxes on top of each other
};

// A box of others is at least this wide, in pixels, unless its parent is not,
// so that it can be seen.
inline constexpr double kLeastOthers = 1;

// Returns the boxes in the order of their frames. Returns nothing if the total
// of the side is 0.
std::vector<FlameBox> MakeFlameBoxes(const FlameGraph& graph,
                                     const FlameBoxOptions& options);

}  // namespace heapprof
