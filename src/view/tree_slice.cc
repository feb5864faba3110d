// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/tree_slice.h"

#include <map>

#include "heapprof/view/whole_values.h"

namespace heapprof {

std::vector<NodeValue> MakeTreeSlice(const FrameTree& tree,
                                     std::span<const Sample> samples,
                                     Metric metric) {
  std::map<uint32_t, double> sums;
  for (const Sample& sample : samples) {
    const uint32_t node = tree.node_of_stack[sample.stack.index()];
    const double value = sample.values[metric].value;
    if (node != 0 && value > 0) sums[node] += value;
  }
  std::vector<NodeValue> slice;
  WholeValues whole;
  for (const auto& [node, sum] : sums)
    if (const int64_t self = whole.Next(sum); self > 0)
      slice.push_back({node, self});
  return slice;
}

}  // namespace heapprof
