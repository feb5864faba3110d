// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_changes.h"

#include <utility>

#include "heapprof/stats/growth.h"
#include "heapprof/stats/interval.h"

namespace heapprof {

FrameChange DirectionOf(const Sides<int64_t>& total) {
  const auto& [now, base] = total;
  if (now == base) return FrameChange::kNone;
  return now > base ? FrameChange::kGrown : FrameChange::kShrunk;
}

FrameChanges::FrameChanges(const FrameTree& tree, size_t column,
                           const ErrorBars& errors)
    : tree_(tree), column_(tree.columns[column]), errors_(errors) {
  if (!tree.is_comparison) return;
  std::vector<bool> changed(tree.joints.size(), true);
  if (errors.exactness() == Exactness::kEstimated) {
    std::vector<Growth> growths;
    for (size_t i = 0; i < tree.joints.size(); ++i)
      growths.push_back(
          errors.GrowthOf(ValuesOf(tree.joints[i].node).Totals(),
                          i == 0 ? Extent::kTotal : Extent::kEntry));
    FoundChanges found = FindChanges(growths, 1 - kConfidence);
    level_ = {
        .tail = found.level,
        .deviations = NormalDeviations(found.level),
        .widening_of_entries = errors.WideningOf(Extent::kEntry, found.level),
        .widening_of_total = errors.WideningOf(Extent::kTotal, found.level)};
    changed = std::move(found.changed);
  }
  for (size_t i = 0; i < tree.joints.size(); ++i)
    of_joints_.push_back(changed[i]
                             ? DirectionOf(ValuesOf(tree.joints[i].node).total)
                             : FrameChange::kNone);
}

FrameChange FrameChanges::OfSum(const FrameValues& judged) const {
  return !level_ || HasChanged(errors_.GrowthOf(judged.Totals()), level_->tail)
             ? DirectionOf(judged.total)
             : FrameChange::kNone;
}

FrameValues FrameChanges::ValuesOf(size_t node) const {
  return tree_.ValuesOf(column_, node);
}

}  // namespace heapprof
