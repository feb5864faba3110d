// SPDX-License-Identifier: Apache-2.0
//
// The frames of a flame graph, with their error bars. A huge tree is cut to a
// size that a browser can handle: what is cut is summed up in frames for
// "others", so that nothing is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_changes.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

struct FlameFrame {
  // Index of FrameTree::labels. Unused for the first frame, which stands for
  // the whole profile, and for others.
  uint32_t label = 0;
  uint32_t depth = 0;  // 0 for the first frame
  uint32_t end = 0;    // index after the last descendant
  // 0, or how many frames of the tree this frame sums up: the children of its
  // parent that are too small, with their descendants.
  uint32_t others = 0;
  Sides<int64_t> self = {};   // as FrameValues::self
  Sides<int64_t> total = {};  // as FrameValues::total
  // The confidence interval of the total or, in a comparison, of the change.
  // Its bounds are whole numbers. None without error bars.
  std::optional<Interval> interval = {};
  double samples = 0;  // sampled objects; 0 if FrameTree has no numbers
  FrameChange change = FrameChange::kNone;
  bool is_new = false;  // in a comparison: absent from the base

  bool IsOthers() const { return others != 0; }
};

struct FlameGraph {
  Metric metric = Metric::kInuseSpace;
  bool is_comparison = false;
  Exactness exactness = Exactness::kExact;
  // In a comparison where changes may be chance: the sum of frames has changed
  // if its change is more than so many times the distance to the bound of its
  // interval towards 0. Many frames are judged at once, so this is 1 or more.
  std::optional<double> strictness = {};
  // In preorder, as FrameTree::nodes. Others come after their siblings.
  std::vector<FlameFrame> frames = {};
  Sides<double> filtered_out = {};  // what filters removed from the total
};

struct FlameGraphOptions {
  // At most about this many frames: the largest ones are kept.
  size_t most_frames = 100'000;
};

// `column` is the index of the column of `tree` that is shown. `errors` are
// those of the profile and the metric of this column. `changes` are of the same
// tree. Where they have a level, a frame has changed if they say so and its
// values change in the same direction.
FlameGraph MakeFlameGraph(const FrameTree& tree, size_t column,
                          const ErrorBars& errors, const FrameChanges& changes,
                          const FlameGraphOptions& options);

// Makes only the first frame, for reports that show all of the tree. It does
// not say whether it has changed.
FlameGraph MakeFlameGraphOfRoot(const FrameTree& tree, size_t column,
                                const ErrorBars& errors);

}  // namespace heapprof
