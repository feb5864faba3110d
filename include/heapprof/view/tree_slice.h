// SPDX-License-Identifier: Apache-2.0
//
// A part of a calling-context tree: the values of one thread, or of one of
// several dumps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

struct NodeValue {
  uint32_t node = 0;  // index of FrameTree::nodes
  int64_t self = 0;   // as FrameValues::self; above 0
};

// Adds up `samples` by the node in which their stacks end. Returns the nodes
// with a positive value, in the order of the tree. The samples must be of the
// profile from which `tree` was made. Samples with a stack that is not in the
// tree are left out.
std::vector<NodeValue> MakeTreeSlice(const FrameTree& tree,
                                     std::span<const Sample> samples,
                                     Metric metric);

}  // namespace heapprof
