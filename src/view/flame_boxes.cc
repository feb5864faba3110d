// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flame_boxes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "view/run_sums.h"

namespace heapprof {
namespace {

// Places boxes in one pass over the frames. Frames that are not shown are
// added to a box of their parent, which becomes known when the next frame is
// not below the parent.
class Layout {
 public:
  Layout(const FlameGraph& graph, const FlameBoxOptions& options)
      : frames_(graph.frames),
        options_(options),
        side_(IndexOf(options.side)),
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
    FlameBox hidden = {};
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

  void Hide(uint32_t index) {
    const FlameFrame& frame = frames_[index];
    FlameBox& hidden = open_.back().hidden;
    for (size_t side = 0; side < hidden.total.size(); ++side)
      hidden.total[side] += frame.total[side];
    for (uint32_t i = index; i < frame.end; ++i)
      hidden.frames += std::max(1u, frames_[i].others);
  }

  // Completes the open boxes of this depth and above.
  void CloseTo(uint32_t depth) {
    for (; open_.size() > depth; open_.pop_back())
      if (open_.back().hidden.frames != 0) AddHidden(open_.back());
  }

  void AddHidden(const OpenBox& parent) {
    const FlameBox& below = boxes_[parent.box];
    FlameBox box = parent.hidden;
    box.frame = below.frame;
    box.depth = below.depth + 1;
    box.kind =
        box.depth < options_.most_levels ? BoxKind::kOthers : BoxKind::kDeeper;
    box.width = std::min(below.width,
                         std::max(kLeastOthers, WidthOf(box.total[side_])));
    box.x = std::min(parent.next_x, below.x + below.width - box.width);
    boxes_.push_back(box);
  }

  const std::vector<FlameFrame>& frames_;
  const FlameBoxOptions& options_;
  const size_t side_;
  const double scale_;         // pixels per byte or object
  std::vector<OpenBox> open_;  // from the first box to the last
  std::vector<FlameBox> boxes_;
};

}  // namespace

std::vector<FlameBox> MakeFlameBoxes(const FlameGraph& graph,
                                     const FlameBoxOptions& options) {
  if (graph.frames.front().total[IndexOf(options.side)] == 0) return {};
  return Layout(graph, options).Make();
}

}  // namespace heapprof
