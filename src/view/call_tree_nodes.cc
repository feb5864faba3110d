// SPDX-License-Identifier: Apache-2.0
//
// Builds only the largest part of the tree. A node is a range of cursors, one
// for each stack that goes through the node; a cursor is a position in a stack.
// To expand a node, each cursor moves to the next function of its stack, and
// the cursors are sorted by that function. Each group of cursors with the same
// function becomes a child. Large nodes are expanded first, until the others
// are too small or there are enough nodes. Memory is limited whatever the
// stacks look like, because there is at most one cursor for each frame or
// inlined call of the stacks, and nothing recurses.
#include "view/call_tree_nodes.h"

#include <algorithm>
#include <queue>
#include <span>
#include <utility>

#include "heapprof/profile/stack_changes.h"
#include "heapprof/view/matching_labels.h"

namespace heapprof {
namespace {

// A tree has at most this many nodes: more than anyone reads, but few enough
// for the memory of any machine.
constexpr size_t kMostNodes = 500'000;

// A position in a stack: one label of one frame. A frame has several labels if
// calls are inlined there.
struct Cursor {
  uint32_t stack = 0;  // index of the ChangesByStack()
  uint32_t frame = 0;  // index of Profile::frames
  uint32_t inner = 0;  // index in the labels of this frame
  uint32_t label = 0;
};

class StackWalk {
 public:
  StackWalk(const Profile& profile, std::span<const StackChange> stacks,
            const FrameLabels& labels)
      : profile_(profile), stacks_(stacks), labels_(labels) {}

  // The position before the root; StepDown() moves from there to the root.
  Cursor Above(uint32_t stack) const {
    const RowRange range = FramesOf(stack);
    return {.stack = stack, .frame = range.first + range.count};
  }

  // StepDown() moves to the next label towards the leaf, StepUp() towards the
  // root. If there is none, they return false and leave the cursor invalid.
  bool StepDown(Cursor& cursor) const {
    const uint32_t first = FramesOf(cursor.stack).first;
    while (cursor.inner == 0) {
      if (cursor.frame == first) return false;
      --cursor.frame;
      cursor.inner = static_cast<uint32_t>(LabelsAt(cursor).size());
    }
    --cursor.inner;
    cursor.label = LabelsAt(cursor)[cursor.inner];
    return true;
  }
  bool StepUp(Cursor& cursor) const {
    const RowRange range = FramesOf(cursor.stack);
    ++cursor.inner;
    while (cursor.inner >= LabelsAt(cursor).size()) {
      if (++cursor.frame == range.first + range.count) return false;
      cursor.inner = 0;
    }
    cursor.label = LabelsAt(cursor)[cursor.inner];
    return true;
  }

 private:
  RowRange FramesOf(uint32_t stack) const {
    return profile_.stacks[stacks_[stack].stack.index()];
  }
  std::span<const uint32_t> LabelsAt(const Cursor& cursor) const {
    return labels_.Of(profile_.frames[cursor.frame]);
  }

  const Profile& profile_;
  const std::span<const StackChange> stacks_;
  const FrameLabels& labels_;
};

class NodeChooser {
 public:
  NodeChooser(const Profile& profile, const FrameLabels& labels,
              const CallTreeOptions& options)
      : profile_(profile),
        labels_(labels),
        options_(options),
        stacks_(ChangesByStack(profile, profile.samples, options.metric)),
        walk_(profile, stacks_, labels) {}

  CallTreeNodes Choose() && {
    SumUp();
    AddRoots();
    const size_t most = options_.most_rows == 0
                            ? kMostNodes
                            : std::min(options_.most_rows, kMostNodes);
    while (!waiting_.empty() && chosen_.nodes.size() < most) {
      const Waiting next = waiting_.top();
      waiting_.pop();
      Expand(next);
    }
    chosen_.expanded = chosen_.nodes.size();
    for (; !waiting_.empty(); waiting_.pop())
      chosen_.nodes.push_back(waiting_.top().node);
    return std::move(chosen_);
  }

 private:
  // A node to be expanded, and the range of its cursors in cursors_.
  struct Waiting {
    CallTreeNode node;
    size_t first = 0;
    size_t last = 0;
  };

  // True if `x` is expanded after `y`. Large nodes come first, but a node that
  // is twice as deep must be twice as large, so that a long chain of large
  // nodes does not take all rows.
  struct ComesLater {
    const FrameLabels& labels;
    bool operator()(const Waiting& x, const Waiting& y) const {
      const CallTreeNode& a = x.node;
      const CallTreeNode& b = y.node;
      const double rank_a = a.sum.size / (a.depth + 1);
      const double rank_b = b.sum.size / (b.depth + 1);
      if (rank_a != rank_b) return rank_a < rank_b;
      if (a.depth != b.depth) return a.depth > b.depth;
      if (a.label != b.label)
        return labels.Text(a.label) > labels.Text(b.label);
      return x.first > y.first;
    }
  };

  // For each stack, calls visit(cursor) for each matching label, at the
  // occurrence nearest the root.
  template <typename Visit>
  void VisitMatches(const Visit& visit) const {
    std::vector<uint32_t> last_stack(labels_.size(), kNoNode);
    for (uint32_t i = 0; i < stacks_.size(); ++i) {
      Cursor cursor = walk_.Above(i);
      while (walk_.StepDown(cursor))
        if (wanted_[cursor.label] &&
            std::exchange(last_stack[cursor.label], i) != i)
          visit(cursor);
    }
  }

  void SumUp() {
    wanted_ = MatchingLabels(profile_, labels_, options_.matches);
    sums_.resize(labels_.size());
    is_outer_.resize(labels_.size());
    // A stack may have several matches. The callees of the match nearest the
    // root include the callees of the other matches, and the callers of the
    // match nearest the leaf include their callers. Therefore, only this match
    // (the last one visited if callers are shown, otherwise the first) makes
    // its label a root.
    const bool last_counts = options_.direction == CallDirection::kCallers;
    Cursor previous = {.stack = kNoNode};
    VisitMatches([&](const Cursor& cursor) {
      sums_[cursor.label].Add(stacks_[cursor.stack]);
      if (previous.stack != cursor.stack) {
        chosen_.matched.Add(stacks_[cursor.stack]);
        MarkOuter(last_counts ? previous : cursor);
      }
      previous = cursor;
    });
    if (last_counts) MarkOuter(previous);
    for (const StackChange& stack : stacks_) chosen_.total.Add(stack);
    chosen_.least = options_.least_fraction * chosen_.matched.size;
  }

  void MarkOuter(const Cursor& match) {
    if (match.stack != kNoNode && stacks_[match.stack].value() != 0)
      is_outer_[match.label] = true;
  }

  void AddRoots() {
    // By label: index in cursors_ at which the label's next cursor is stored.
    std::vector<size_t> next(labels_.size());
    size_t count = 0;
    for (uint32_t label = 0; label < sums_.size(); ++label) {
      const CallTreeSum& sum = sums_[label];
      wanted_[label] = is_outer_[label] && sum.size >= chosen_.least;
      if (sum.size == 0) continue;
      ++chosen_.matching;
      if (!is_outer_[label]) ++chosen_.covered;
      if (!wanted_[label]) continue;
      next[label] = count;
      waiting_.push(
          {.node = {.label = label, .sum = sum, .end = {}, .rest = {}},
           .first = count,
           .last = count + sum.count});
      count += sum.count;
    }
    cursors_.resize(count);
    VisitMatches(
        [&](const Cursor& cursor) { cursors_[next[cursor.label]++] = cursor; });
  }

  // Moves to the next caller or callee, but skips direct recursion. Returns
  // false at the end of the stack.
  bool Advance(Cursor& cursor) const {
    const uint32_t from = cursor.label;
    do {
      if (!(options_.direction == CallDirection::kCallers
                ? walk_.StepUp(cursor)
                : walk_.StepDown(cursor)))
        return false;
    } while (cursor.label == from);
    return true;
  }

  void Expand(const Waiting& at) {
    const auto index = static_cast<uint32_t>(chosen_.nodes.size());
    CallTreeNode& node = chosen_.nodes.emplace_back(at.node);
    const auto here = std::span(cursors_).subspan(at.first, at.last - at.first);
    size_t going_on = 0;
    for (Cursor cursor : here) {
      if (Advance(cursor))
        here[going_on++] = cursor;
      else
        node.end.Add(stacks_[cursor.stack]);
    }
    const auto moved = here.first(going_on);
    if (!std::ranges::is_sorted(moved, {}, &Cursor::label))
      std::ranges::sort(moved, {}, [](const Cursor& cursor) {
        return std::pair(cursor.label, cursor.stack);
      });
    for (size_t i = 0; i < moved.size();) {
      const uint32_t label = moved[i].label;
      const size_t first = i;
      CallTreeSum sum;
      for (; i < moved.size() && moved[i].label == label; ++i)
        sum.Add(stacks_[moved[i].stack]);
      if (sum.size == 0) continue;
      const CallTreeNode child = {.label = label,
                                  .parent = index,
                                  .depth = node.depth + 1,
                                  .sum = sum,
                                  .end = {},
                                  .rest = {}};
      if (sum.size >= chosen_.least)
        waiting_.push({child, at.first + first, at.first + i});
      else
        node.rest.AddNode(sum);
    }
  }

  const Profile& profile_;
  const FrameLabels& labels_;
  const CallTreeOptions& options_;
  const std::vector<StackChange> stacks_;
  const StackWalk walk_;
  std::vector<bool> wanted_;       // by label
  std::vector<CallTreeSum> sums_;  // by label
  // By label: true if the label becomes a root, because the trees of other
  // labels do not contain all of its stacks.
  std::vector<bool> is_outer_;
  std::vector<Cursor> cursors_;  // the cursors of a node are adjacent
  std::priority_queue<Waiting, std::vector<Waiting>, ComesLater> waiting_{
      ComesLater{labels_}};
  CallTreeNodes chosen_;
};

}  // namespace

CallTreeNodes ChooseCallTreeNodes(const Profile& profile,
                                  const FrameLabels& labels,
                                  const CallTreeOptions& options) {
  return NodeChooser(profile, labels, options).Choose();
}

}  // namespace heapprof
