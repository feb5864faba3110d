// SPDX-License-Identifier: Apache-2.0
//
// The colours of the boxes of a flame graph, as classes of a style sheet. The
// script in the picture (assets/flamegraph/frames.js) and the page
// (assets/html/colors.js) choose colours by the same rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/report/flamegraph_options.h"
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

// The colours of a comparison, as classes. A change that is as large as the
// largest one of all frames that have changed has the last level of its
// direction, g8 or s8. A frame that has not changed, or whose change may be a
// sampling error, is grey (n). If it contains frames that have changed, it has
// a tint of the largest of these changes (gi or si): a small change in a large
// heap would otherwise be lost in frames that are all grey.
class ChangeColors {
 public:
  static constexpr std::string_view kGrown = "g8", kShrunk = "s8",
                                    kUnchanged = "n", kGrownInside = "gi";

  explicit ChangeColors(const FlameGraph& graph);

  // `frame` is an index of FlameGraph::frames.
  std::string ClassOf(uint32_t frame) const;
  // Returns the class of a box that sums up several frames.
  std::string ClassOf(const FlameFrame& sum) const;
  static std::string Rules();

 private:
  const FlameGraph& graph_;
  double largest_ = 0;  // absolute change
  // By frame: the largest change of a frame inside it; 0 if none has changed.
  std::vector<double> inside_;
};

}  // namespace heapprof
