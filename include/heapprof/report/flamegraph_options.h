// SPDX-License-Identifier: Apache-2.0
//
// How a flame graph is drawn.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/sides.h"
#include "heapprof/view/flame_boxes.h"
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
  std::string title = {};         // empty: the name of the dump
  Sides<std::string> dumps = {};  // their names; empty: there is no base
  Unit unit = Unit::kMegabytes;
  FlamePalette palette = FlamePalette::kOwn;
  uint32_t width = 1200;  // of the picture, in pixels
  // False if the script may change the width to that of the window.
  bool is_width_fixed = false;
  bool is_inverted = false;  // the first frame is at the top
  // The width and the side are set by WriteFlamegraph().
  FlameBoxOptions boxes = {};
};

}  // namespace heapprof
