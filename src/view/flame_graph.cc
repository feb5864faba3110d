// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/flame_graph.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "heapprof/stats/interval.h"
#include "view/frame_intervals.h"

namespace heapprof {
namespace {

int64_t SizeOf(const FrameValues& values) {
  return std::max(values.total.now, values.total.base);
}

void SumUp(const FrameValues& values, FrameValues& sum) {
  sum.total += values.total;
  sum.variance += values.variance;
}

// Chooses the largest nodes. Of nodes of one size, those that come first are
// chosen. The parent of a node that is chosen is chosen, too.
class LargestNodes {
 public:
  LargestNodes(const FrameTree& tree, const FrameColumn& column, size_t most) {
    const size_t nodes = tree.nodes.size();
    if (nodes <= most) return;
    std::vector<int64_t> sizes;
    sizes.reserve(nodes);
    for (size_t i = 0; i < nodes; ++i)
      sizes.push_back(SizeOf(tree.ValuesOf(column, i)));
    const auto last = sizes.begin() + static_cast<std::ptrdiff_t>(most);
    std::ranges::nth_element(sizes, last, std::greater());
    least_ = *last;
    room_ = std::ranges::count(sizes.begin(), last, least_);
  }

  // Call this once for each node, in order.
  bool Choose(const FrameValues& values) {
    const int64_t size = SizeOf(values);
    return size > least_ || (size == least_ && room_-- > 0);
  }

 private:
  int64_t least_ = -1;
  std::ptrdiff_t room_ = 0;  // for nodes of the size `least_`
};

class FlameGraphMaker {
 public:
  // `changes` is null if they are not asked for.
  FlameGraphMaker(const FrameTree& tree, size_t column, const ErrorBars& errors,
                  const FrameChanges* changes)
      : tree_(tree),
        column_(tree.columns[column]),
        samples_(tree.sample_columns.empty() ? nullptr
                                             : &tree.sample_columns[column]),
        intervals_(errors, tree.is_comparison),
        changes_(tree.is_comparison ? changes : nullptr) {
    graph_.metric = column_.metric;
    graph_.is_comparison = tree.is_comparison;
    graph_.exactness = errors.exactness();
    graph_.filtered_out = column_.filtered_out;
    if (changes_ != nullptr && changes_->level())
      graph_.strictness = changes_->level()->deviations /
                          NormalDeviations((1 - kConfidence) / 2);
  }

  FlameGraph MakeRoot() && {
    Open(0, tree_.ValuesOf(column_, 0));
    CloseTo(0);
    return std::move(graph_);
  }

  FlameGraph Make(size_t most) && {
    LargestNodes largest(tree_, column_, most);
    for (uint32_t i = 0; i < tree_.nodes.size();) {
      const FrameNode& node = tree_.nodes[i];
      const FrameValues values = tree_.ValuesOf(column_, i);
      if (i != 0) CloseTo(node.depth);
      if (largest.Choose(values) || i == 0) {
        Open(i, values);
        ++i;
      } else {
        AddToOthers(i, values);
        i = tree_.EndOf(i);
      }
    }
    CloseTo(0);
    return std::move(graph_);
  }

 private:
  // A frame whose descendants are not complete.
  struct OpenFrame {
    uint32_t frame = 0;
    uint32_t others = 0;  // number of frames that are left out
    FrameValues left_out = {};
    FrameValues judged_left_out = {};  // in the column that decides
    double left_out_samples = 0;
  };

  uint32_t FrameCount() const {
    return static_cast<uint32_t>(graph_.frames.size());
  }

  // Returns how many sampled objects the total of a node comes from.
  double SamplesOf(size_t node) const {
    if (samples_ == nullptr) return 0;
    const auto& [now, base] = tree_.ValuesOf(*samples_, node).total;
    return static_cast<double>(now + base);
  }

  void Open(uint32_t index, const FrameValues& values) {
    const FrameNode& node = tree_.nodes[index];
    open_.push_back({.frame = FrameCount(), .left_out = {}});
    const bool is_root = graph_.frames.empty();
    FlameFrame frame =
        FrameOf(values, is_root ? Extent::kTotal : Extent::kEntry);
    frame.label = node.label;
    frame.depth = node.depth;
    frame.samples = SamplesOf(index);
    if (changes_ != nullptr)
      frame.change = ChangeOf(frame, changes_->of_joints()[node.joint]);
    graph_.frames.push_back(frame);
  }

  void AddToOthers(uint32_t node, const FrameValues& values) {
    OpenFrame& parent = open_.back();
    parent.others += tree_.EndOf(node) - node;
    parent.left_out_samples += SamplesOf(node);
    SumUp(values, parent.left_out);
    if (changes_ != nullptr)
      SumUp(changes_->ValuesOf(node), parent.judged_left_out);
  }

  // Completes the open frames of this depth and below.
  void CloseTo(uint32_t depth) {
    while (open_.size() > depth) {
      OpenFrame& last = open_.back();
      if (last.others != 0) AddOthers(last);
      graph_.frames[last.frame].end = FrameCount();
      open_.pop_back();
    }
  }

  void AddOthers(OpenFrame& parent) {
    parent.left_out.self = parent.left_out.total;
    FlameFrame frame = FrameOf(parent.left_out, Extent::kEntry);
    if (changes_ != nullptr)
      frame.change = ChangeOf(frame, changes_->OfSum(parent.judged_left_out));
    frame.others = parent.others;
    frame.samples = parent.left_out_samples;
    frame.depth = graph_.frames[parent.frame].depth + 1;
    frame.end = FrameCount() + 1;
    graph_.frames.push_back(frame);
  }

  // Returns how a frame has changed whose values in the column that decides
  // have changed like `judged`.
  FrameChange ChangeOf(const FlameFrame& frame, FrameChange judged) const {
    const FrameChange shown = DirectionOf(frame.total);
    return !changes_->level() || shown == judged ? shown : FrameChange::kNone;
  }

  FlameFrame FrameOf(const FrameValues& values, Extent extent) {
    FlameFrame frame = {.self = values.self,
                        .total = values.total,
                        .interval = intervals_.Of(values, extent)};
    frame.is_new =
        tree_.is_comparison && values.total.base == 0 && values.total.now != 0;
    return frame;
  }

  const FrameTree& tree_;
  const FrameColumn& column_;
  const FrameColumn* samples_;  // null: not counted
  FrameIntervals intervals_;
  const FrameChanges* changes_;  // null: do not say what has changed
  std::vector<OpenFrame> open_;  // from the first frame to the last
  FlameGraph graph_;
};

}  // namespace

FlameGraph MakeFlameGraph(const FrameTree& tree, size_t column,
                          const ErrorBars& errors, const FrameChanges& changes,
                          const FlameGraphOptions& options) {
  return FlameGraphMaker(tree, column, errors, &changes)
      .Make(options.most_frames);
}

FlameGraph MakeFlameGraphOfRoot(const FrameTree& tree, size_t column,
                                const ErrorBars& errors) {
  return FlameGraphMaker(tree, column, errors, nullptr).MakeRoot();
}

}  // namespace heapprof
