// SPDX-License-Identifier: Apache-2.0
//
// The call tree of the paths of a story (story.h). It makes only the subtrees
// that are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heapprof/base/no_index.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/story.h"
#include "view/call_paths.h"

namespace heapprof {

// A function of the call tree.
struct TreeNode {
  uint32_t label = kNoIndex;
  StoryRole role = StoryRole::kNone;
  double value = 0;  // of the paths through it
  // As `value`, but without the paths that shrank in a comparison. No subtree
  // below has more.
  double growth = 0;
};

// All paths that start with the functions `nodes`. The last one is the top of
// the subtree.
struct Subtree {
  std::vector<TreeNode> nodes = {};
  std::vector<uint32_t> paths = {};
  double value = 0;        // of the paths
  double growth = 0;       // TreeNode::growth
  size_t trunk_depth = 0;  // how many of `nodes` are the trunk
  // Of a piece: the index of its part, and how many nodes that has.
  uint32_t part = kNoIndex;
  size_t part_depth = 0;
};

// Returns by label what each function and its callees have. `values` is by
// path.
std::vector<double> SumByLabel(const CallPaths& paths,
                               std::span<const double> values,
                               const FrameLabels& labels);

class PathTree {
 public:
  // Keeps references to `paths` and `labels`. `values` is by path.
  PathTree(const CallPaths& paths, std::vector<double> values,
           const FrameLabels& labels);

  // What the sizes of subtrees are measured by: the value of all paths. If they
  // have less in a comparison than the function that grew most, because others
  // shrank, then what that function has with its callees.
  double whole() const { return whole_; }
  double ValueOf(uint32_t path) const { return values_[path]; }
  const CallPaths& paths() const { return paths_; }
  const FrameLabels& labels() const { return labels_; }

  // Returns the subtree of all paths, which has no nodes.
  Subtree Root() const;
  // Returns the callees of the top of a subtree that have at least `least`, or
  // below which there may be a subtree that has; the largest first, and in the
  // order of their names if they have the same.
  std::vector<TreeNode> Children(const Subtree& subtree, double least);
  // Returns the subtree of one of these callees.
  Subtree Child(const Subtree& subtree, const TreeNode& child) const;
  // Returns the part of a subtree that its top has without its callees.
  Subtree Self(const Subtree& subtree) const;

  const std::string& NameOf(const TreeNode& node) const {
    return labels_.Text(node.label);
  }

 private:
  struct LabelSum {
    double value = 0;
    double growth = 0;
    bool is_used = false;
  };

  const CallPaths& paths_;
  const FrameLabels& labels_;
  std::vector<double> values_;          // by path
  double total_ = 0, growth_ = 0;       // of all paths
  std::vector<LabelSum> sum_of_label_;  // working data
  double whole_ = 0;
};

}  // namespace heapprof
