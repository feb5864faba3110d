// SPDX-License-Identifier: Apache-2.0
//
// The colours of the boxes of a flame graph, as classes of a style sheet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "heapprof/report/flamegraph.h"
#include "heapprof/view/flame_graph.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

class FlameColors {
 public:
  FlameColors(const FrameTree& tree, FlamePalette palette);

  // Returns the number N of the class "cN" of a label.
  size_t ClassOf(uint32_t label) const { return classes_[label]; }
  // Returns the rules of all classes, for light and dark pages.
  std::string Rules() const;

 private:
  // Hue in degrees; saturation and lightness on a light and a dark page in per
  // cent.
  struct Color {
    int hue = 0;
    int saturation = 0;
    int lightness = 0;
    int dark_saturation = 0;
    int dark_lightness = 0;
    auto operator<=>(const Color&) const = default;
  };

  static Color ColorOf(const TreeLabel& label, FlamePalette palette,
                       bool knows_own);

  std::vector<size_t> classes_;  // by label
  std::vector<Color> colors_;    // by class
};

// The colours of a comparison: a change that is as large as the largest one of
// all frames has the last level.
class ChangeColors {
 public:
  static constexpr int kLevels = 8;

  explicit ChangeColors(const FlameGraph& graph);

  // Returns 0 for no change, 1 to kLevels for growth, and negative numbers for
  // shrinkage.
  int LevelOf(const FlameFrame& frame) const;
  // Returns the class of a level: "n", "g1" ... or "s1" ...
  static std::string ClassOf(int level);
  static std::string Rules();

 private:
  double largest_ = 0;  // absolute change of a frame
};

}  // namespace heapprof
