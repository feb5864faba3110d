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
  // Of the sampling error of `self`; 0 without error bars.
  double variance = 0;
};

// In the order of the tree.
using TreeSlice = std::vector<NodeValue>;

// Adds up `samples` by the node in which their stacks end. Returns the nodes
// with a positive value, for each of `metrics`. The samples must be of the
// profile from which `tree` was made. Samples with a stack that is not in the
// tree are left out.
std::vector<TreeSlice> MakeTreeSlices(const FrameTree& tree,
                                      std::span<const Sample* const> samples,
                                      std::span<const Metric> metrics);

}  // namespace heapprof
