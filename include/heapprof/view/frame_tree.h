// SPDX-License-Identifier: Apache-2.0
//
// The calling-context tree of a profile: all of its stacks, with the frames
// that they have in common merged. A flame graph draws this tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/merged_stacks.h"

namespace heapprof {

// The label of one or more nodes. Strings come from the input as they are.
struct TreeLabel {
  std::string name = {};        // as in a StackTable, but nothing is replaced
  std::string short_name = {};  // of a function: without its arguments
  std::string module = {};      // path; empty: unknown, or several
  bool is_own = false;          // see FrameTreeOptions::own_lines
  std::string file = {};        // path of the source; empty as `module`
  uint32_t line = 0;            // as LabelCode::line
};

struct FrameNode {
  uint32_t label = 0;  // index of FrameTree::labels; unused for the root
  uint32_t depth = 0;  // 0 for the root
  uint32_t joint = 0;  // index of FrameTree::joints
};

// The root, a node in which a stack ends, or a node with several children. Each
// other node has one child, the next node, and the same total. Most nodes of a
// large tree are such, so that values are stored only for joints: the next
// joint has the values of the nodes before it.
struct FrameJoint {
  uint32_t node = 0;  // index of FrameTree::nodes
  uint32_t end = 0;   // index after the last joint below this one
};

// The values of a node. Unless the tree is a comparison, those of the base are
// 0. All values are whole bytes or objects, and at least 0. The sum of `self`
// over all nodes is the total of the root.
struct FrameValues {
  Sides<int64_t> self = {};   // the stacks that end here
  Sides<int64_t> total = {};  // together with all descendants
  // Of the sampling error of `total`; 0 without error bars.
  Sides<double> variance = {};

  // `total` as estimates.
  Change Totals() const;
};

// The values of one side of a column, in a form that takes little memory. The
// joints of a subtree are a range, so that its total is a difference of sums.
struct FrameSums {
  // By joint: the sum of `self` of all joints before it. The last element is
  // the sum of all.
  std::vector<int64_t> before = {};
  // By joint: the variance of its total, without what threads with one seed
  // add, and what these add. Empty without error bars, or if they add nothing.
  std::vector<double> variances = {};
  std::vector<double> shared = {};
};

struct FrameColumn {
  Metric metric = Metric::kInuseSpace;
  Sides<FrameSums> sides = {};      // the base side may be empty
  Sides<double> filtered_out = {};  // what filters removed
};

// Where code is. Strings are empty if it is unknown.
struct FramePlace {
  std::string module = {};
  std::string file = {};
};

// Where the code of the frames of a node is.
struct NodeCode {
  uint32_t node = 0;
  uint32_t place = 0;  // index of FrameTree::places
};

struct FrameTree {
  // Different names, in byte order.
  std::vector<TreeLabel> labels = {};
  // In preorder: parents come before their children, and each subtree is a
  // range. Children are in the order of their labels, which are different
  // unless FrameTreeOptions::splits_by_code. The first node is the root, which
  // stands for the whole profile.
  std::vector<FrameNode> nodes = {};
  std::vector<FrameJoint> joints = {};    // in the order of `nodes`
  std::vector<FrameColumn> columns = {};  // by metric, as asked for
  // Like `columns`, with the numbers of sampled objects as values. Empty unless
  // asked for, and if they say nothing (see CountsSamples()).
  std::vector<FrameColumn> sample_columns = {};
  // By StackId: the node in which the stack ends; 0 if it is not in the tree.
  std::vector<uint32_t> node_of_stack = {};
  // Of the nodes whose labels have several source files or binaries, in their
  // order. Empty unless asked for.
  std::vector<NodeCode> node_codes = {};
  std::vector<FramePlace> places = {};
  bool is_comparison = false;

  FrameValues ValuesOf(const FrameColumn& column, size_t node) const;
  // Returns the index after the last descendant of a node.
  uint32_t EndOf(size_t node) const;
};

struct FrameTreeOptions {
  std::vector<Metric> metrics = {Metric::kInuseSpace};
  Granularity granularity = Granularity::kFunctions;
  // kRootFirst: the root's children are the roots of the stacks; kLeafFirst:
  // they are the leaves, and their children call them.
  StackOrder order = StackOrder::kRootFirst;
  // For each of Profile::lines, whether it is the user's own code. Empty if
  // this is unknown. A label is the user's own if one of its lines is.
  std::vector<bool> own_lines = {};
  bool counts_samples = false;
  // For kFunctions: frames whose code is in different source files or binaries
  // have different nodes, even if their labels are the same.
  bool splits_by_code = false;
  // Also makes nodes for the stacks of samples by thread. Usually, these are
  // the stacks of other samples, too.
  bool with_threads = false;
  // Also makes nodes for the stacks of these samples, which count nowhere.
  std::span<const Sample> others = {};
};

// Returns, by joint, the variance of FrameValues::self, without what threads
// with one seed add. `sums` must have variances.
std::vector<double> SelfVariances(const FrameTree& tree, const FrameSums& sums);

// Makes the tree of all stacks with a value; in a comparison, with a value on
// one side. A negative value counts as a value of the other side.
FrameTree MakeFrameTree(const Profile& profile,
                        const FrameTreeOptions& options);

}  // namespace heapprof
