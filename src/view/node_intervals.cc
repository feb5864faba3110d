// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/node_intervals.h"

#include <algorithm>
#include <optional>

#include "view/frame_intervals.h"

namespace heapprof {
namespace {

double SizeOf(const FrameValues& values) {
  return static_cast<double>(std::max(values.total.now, values.total.base));
}

}  // namespace

std::vector<NodeInterval> MakeNodeIntervals(const FrameTree& tree,
                                            size_t column,
                                            const ErrorBars& errors,
                                            double least_share) {
  const FrameColumn& shown = tree.columns[column];
  const double least = least_share * SizeOf(tree.ValuesOf(shown, 0));
  FrameIntervals intervals(errors, tree.is_comparison);
  std::vector<NodeInterval> made;
  std::optional<Interval> interval;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    // The nodes of a joint have the same total.
    if (node == 0 || tree.nodes[node].joint != tree.nodes[node - 1].joint) {
      const FrameValues values = tree.ValuesOf(shown, node);
      interval.reset();
      if (SizeOf(values) >= least)
        interval =
            intervals.Of(values, node == 0 ? Extent::kTotal : Extent::kEntry);
    }
    if (interval) made.push_back({node, *interval});
  }
  return made;
}

}  // namespace heapprof
