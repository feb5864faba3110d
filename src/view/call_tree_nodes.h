// SPDX-License-Identifier: Apache-2.0
//
// The largest nodes of a call tree, before they become rows.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/call_tree_options.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

inline constexpr uint32_t kNoNode = UINT32_MAX;

struct CallTreeSum {
  double value = 0;
  double size = 0;  // the sum of absolute values
  size_t count = 0;

  void Add(double part) {
    value += part;
    size += std::abs(part);
    ++count;
  }
  void AddChild(double child_value, double child_size) {
    value += child_value;
    size += child_size;
    ++count;
  }
};

struct CallTreeNode {
  uint32_t label = 0;
  uint32_t parent = kNoNode;
  uint32_t depth = 0;
  double value = 0;
  double size = 0;   // the sum of absolute values
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
  double matched = 0;
  double total = 0;
  double total_size = 0;
  size_t matching = 0;
  size_t covered = 0;
};

CallTreeNodes ChooseCallTreeNodes(const Profile& profile,
                                  const FrameLabels& labels,
                                  const CallTreeOptions& options);

}  // namespace heapprof
