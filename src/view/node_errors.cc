// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/node_errors.h"

#include <algorithm>
#include <optional>

#include "view/frame_intervals.h"

namespace heapprof {
namespace {

double SizeOf(const FrameValues& values) {
  return static_cast<double>(std::max(values.total.now, values.total.base));
}

}  // namespace

NodeErrors MakeNodeErrors(const FrameTree& tree, size_t column,
                          const ErrorBars& errors, double least_share) {
  const FrameColumn& shown = tree.columns[column];
  const double least = least_share * SizeOf(tree.ValuesOf(shown, 0));
  FrameIntervals intervals(errors, tree.is_comparison);
  NodeErrors made;
  bool is_large = false;
  std::optional<Interval> interval;
  for (uint32_t node = 0; node < tree.nodes.size(); ++node) {
    // The nodes of a joint have the same total.
    const bool is_first =
        node == 0 || tree.nodes[node].joint != tree.nodes[node - 1].joint;
    if (is_first) {
      const FrameValues values = tree.ValuesOf(shown, node);
      is_large = SizeOf(values) >= least;
      interval.reset();
      // A small node without a change needs no interval.
      if (is_large ||
          (tree.is_comparison && values.total.now != values.total.base))
        interval =
            intervals.Of(values, node == 0 ? Extent::kTotal : Extent::kEntry);
      if (tree.is_comparison)
        made.changes.push_back(
            ChangeOf({.total = values.total, .interval = interval}));
    }
    if (is_large && interval) made.intervals.push_back({node, *interval});
  }
  return made;
}

}  // namespace heapprof
