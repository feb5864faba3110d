// SPDX-License-Identifier: Apache-2.0
//
// The largest nodes of a call tree, before they become rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/stats/sum.h"
#include "heapprof/view/call_tree_options.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

inline constexpr uint32_t kNoNode = UINT32_MAX;

// A sum of stacks or of nodes, and their number. Those that have not changed
// count, too: without them, a row could differ by a byte from that of a table,
// because each side is rounded (see WholeChange()).
struct CallTreeSum {
  Change sides = {};
  double size = 0;  // the sum of the absolute changes of the stacks
  size_t count = 0;

  void Add(const StackChange& stack) {
    sides += stack.sides;
    size += stack.size();
    ++count;
  }
  void AddNode(const CallTreeSum& node) {
    sides += node.sides;
    size += node.size;
    ++count;
  }
};

struct CallTreeNode {
  uint32_t label = 0;
  uint32_t parent = kNoNode;
  uint32_t depth = 0;
  CallTreeSum sum;
  CallTreeSum end;   // the sum of the stacks that end here
  CallTreeSum rest;  // the sum of the children that are too small
};

struct CallTreeNodes {
  // Parents come before their children. The children of the first `expanded`
  // nodes are known: each is either a node here or included in its parent's
  // `rest`. The nodes after these have no children here, because there were too
  // many nodes to expand.
  std::vector<CallTreeNode> nodes;
  size_t expanded = 0;
  double least = 0;  // the least size of a node; smaller ones are in `rest`
  CallTreeSum matched;
  CallTreeSum total;
  size_t matching = 0;
  size_t covered = 0;
};

CallTreeNodes ChooseCallTreeNodes(const Profile& profile,
                                  const FrameLabels& labels,
                                  const CallTreeOptions& options);

}  // namespace heapprof
