// SPDX-License-Identifier: Apache-2.0
//
// A flame graph as one SVG file that needs nothing else: a box for each frame,
// as wide as what it holds, on top of its caller. In a browser, a script in the
// file zooms, searches and shows details. Without scripts, the whole graph is
// there, with the names that fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/base/byte_sink.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/flame_boxes.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_tree.h"
#include "heapprof/view/units.h"

namespace heapprof {

// How boxes are coloured, unless colours show a change. In each palette, the
// hue depends on the module, and the user's own code is more vivid.
enum class FlamePalette : uint8_t {
  kMem,     // greens
  kModule,  // all hues
  kOwn,     // all hues; pale, except the user's own code
  kHot,     // reds and yellows
};

struct FlamegraphOptions {
  std::string title = {};      // empty: the name of the dump
  std::string dump = {};       // its name
  std::string base_dump = {};  // of the base side; empty: there is none
  Unit unit = Unit::kMegabytes;
  FlamePalette palette = FlamePalette::kOwn;
  uint32_t width = 1200;  // of the picture, in pixels
  // False if the script may change the width to that of the window.
  bool is_width_fixed = false;
  bool is_inverted = false;  // the first frame is at the top
  // The width and the side are set by WriteFlamegraph().
  FlameBoxOptions boxes = {};
};

// Draws `graph`, which was made from `tree`. At least one of its sides must
// hold something. In a comparison, the widths show the new side, unless it
// holds nothing; the script can show the base side instead. The first frame is
// as wide as the picture without a margin of 10 pixels on either side.
void WriteFlamegraph(const FrameTree& tree, const FlameGraph& graph,
                     const FlamegraphOptions& options, ByteSink& out);

}  // namespace heapprof
