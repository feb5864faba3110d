// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/tree_slice.h"

#include <algorithm>
#include <cstddef>

#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

struct NodeSample {
  uint32_t node = 0;
  const Sample* sample = nullptr;
};

TreeSlice SliceOf(const std::vector<NodeSample>& by_node, Metric metric) {
  TreeSlice slice;
  WholeValues whole;
  for (size_t i = 0; i < by_node.size();) {
    const uint32_t node = by_node[i].node;
    Estimate sum;
    for (; i < by_node.size() && by_node[i].node == node; ++i)
      if (const Estimate& value = by_node[i].sample->values[metric];
          value.value > 0)
        sum += value;
    if (sum.value == 0) continue;
    if (const int64_t self = whole.Next(sum.value); self > 0)
      slice.push_back({node, self, sum.variance});
  }
  return slice;
}

}  // namespace

std::vector<TreeSlice> MakeTreeSlices(const FrameTree& tree,
                                      std::span<const Sample* const> samples,
                                      std::span<const Metric> metrics) {
  std::vector<NodeSample> by_node;
  by_node.reserve(samples.size());
  for (const Sample* sample : samples)
    if (const uint32_t node = tree.node_of_stack[sample->stack.index()];
        node != 0)
      by_node.push_back({node, sample});
  std::ranges::stable_sort(by_node, {}, &NodeSample::node);
  std::vector<TreeSlice> slices;
  for (const Metric metric : metrics)
    slices.push_back(SliceOf(by_node, metric));
  return slices;
}

}  // namespace heapprof
