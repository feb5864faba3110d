// SPDX-License-Identifier: Apache-2.0
//
// The script in the picture places boxes by the same rules:
// src/report/assets/shared/place_boxes.js and assets/flamegraph/frames.js.
// tests/assets/agreement/flame_graph.mjs compares them.
#include "heapprof/view/flame_boxes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "heapprof/profile/profile.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

double Square(double number) { return number * number; }

// Places boxes in one pass over the frames. Frames that are not shown are
// added to a box of their parent, which becomes known when the next frame is
// not below the parent.
class Layout {
 public:
  Layout(const FlameGraph& graph, const FlameBoxOptions& options)
      : frames_(graph.frames),
        strictness_(graph.strictness),
        is_comparison_(graph.is_comparison),
        options_(options),
        side_(options.side),
        scale_(options.width /
               static_cast<double>(frames_.front().total[side_])) {}

  std::vector<FlameBox> Make() && {
    for (uint32_t i = 0; i < frames_.size();) {
      const FlameFrame& frame = frames_[i];
      CloseTo(frame.depth);
      const bool is_shown =
          i == 0 || (frame.depth < options_.most_levels && IsWide(frame));
      if (is_shown)
        Open(i);
      else
        Hide(i);
      i = is_shown ? i + 1 : frame.end;
    }
    CloseTo(0);
    return std::move(boxes_);
  }

 private:
  // A box above which more may be placed.
  struct OpenBox {
    uint32_t box = 0;
    double next_x = 0;  // where its next child begins
    // The sum of the children that are not shown, and the squares of the
    // distances from their values to the bounds of their intervals.
    FlameFrame hidden = {};
    double below = 0;
    double above = 0;
    // How many these are, and how many of them have grown or shrunk.
    size_t children = 0;
    size_t grown = 0;
    size_t shrunk = 0;
  };

  bool IsWide(const FlameFrame& frame) const {
    const double width = WidthOf(frame.total[side_]);
    return !frame.IsOthers() && frame.total[side_] > 0 &&
           width >= options_.min_width;
  }

  double WidthOf(int64_t value) const {
    return static_cast<double>(value) * scale_;
  }

  void Open(uint32_t index) {
    const FlameFrame& frame = frames_[index];
    FlameBox box = {.frame = index,
                    .depth = frame.depth,
                    .width = WidthOf(frame.total[side_])};
    if (!open_.empty())
      box.x =
          std::exchange(open_.back().next_x, open_.back().next_x + box.width);
    open_.push_back({.box = static_cast<uint32_t>(boxes_.size()),
                     .next_x = box.x,
                     .hidden = {}});
    boxes_.push_back(box);
  }

  // The value that the interval of a frame is about.
  double ValueOf(const FlameFrame& frame) const {
    const int64_t base = is_comparison_ ? frame.total.base : 0;
    return static_cast<double>(frame.total.now - base);
  }

  void Hide(uint32_t index) {
    const FlameFrame& frame = frames_[index];
    OpenBox& parent = open_.back();
    parent.hidden.total += frame.total;
    parent.hidden.samples += frame.samples;
    ++parent.children;
    if (frame.change == FrameChange::kGrown) ++parent.grown;
    if (frame.change == FrameChange::kShrunk) ++parent.shrunk;
    for (uint32_t i = index; i < frame.end; ++i)
      parent.hidden.others += std::max(1u, frames_[i].others);
    if (!frame.interval) return;
    parent.below += Square(ValueOf(frame) - frame.interval->lower);
    parent.above += Square(frame.interval->upper - ValueOf(frame));
  }

  // Completes the open boxes of this depth and above.
  void CloseTo(uint32_t depth) {
    for (; open_.size() > depth; open_.pop_back())
      if (open_.back().hidden.IsOthers()) AddHidden(open_.back());
  }

  void AddHidden(const OpenBox& parent) {
    const FlameBox& below = boxes_[parent.box];
    FlameBox box = {.frame = below.frame, .depth = below.depth + 1};
    box.kind =
        box.depth < options_.most_levels ? BoxKind::kOthers : BoxKind::kDeeper;
    box.sum = SumOf(parent);
    box.width = std::min(below.width,
                         std::max(kLeastOthers, WidthOf(box.sum.total[side_])));
    box.x = std::min(parent.next_x, below.x + below.width - box.width);
    boxes_.push_back(box);
  }

  // Returns the sum of what is hidden. The square root of the sum of squares
  // is the error of a sum of independent values (MOVER).
  FlameFrame SumOf(const OpenBox& parent) const {
    FlameFrame sum = parent.hidden;
    if (frames_.front().interval)
      sum.interval = RoundedOutwards({ValueOf(sum) - std::sqrt(parent.below),
                                      ValueOf(sum) + std::sqrt(parent.above)});
    if (!is_comparison_) return sum;
    if (HasChanged(sum, parent)) sum.change = DirectionOf(sum.total);
    sum.is_new = sum.total.base == 0;
    return sum;
  }

  // Without an error bar, the sum has changed if all parts of it have grown, or
  // all have shrunk.
  bool HasChanged(const FlameFrame& sum, const OpenBox& parent) const {
    if (!strictness_) return true;
    if (!sum.interval || parent.children == 1)
      return std::max(parent.grown, parent.shrunk) == parent.children;
    const double change = ValueOf(sum);
    return change > *strictness_ * (change - sum.interval->lower) ||
           -change > *strictness_ * (sum.interval->upper - change);
  }

  const std::vector<FlameFrame>& frames_;
  const std::optional<double> strictness_;
  const bool is_comparison_;
  const FlameBoxOptions& options_;
  const Side side_;
  const double scale_;         // pixels per byte or object
  std::vector<OpenBox> open_;  // from the first box to the last
  std::vector<FlameBox> boxes_;
};

}  // namespace

std::vector<FlameBox> MakeFlameBoxes(const FlameGraph& graph,
                                     const FlameBoxOptions& options) {
  if (graph.frames.front().total[options.side] == 0) return {};
  return Layout(graph, options).Make();
}

}  // namespace heapprof
