// SPDX-License-Identifier: Apache-2.0
#include "view/frame_intervals.h"

#include <cstddef>

#include "heapprof/view/whole_values.h"

namespace heapprof {

std::optional<Interval> FrameIntervals::Of(const FrameValues& values,
                                           Extent extent) {
  if (errors_.exactness() != Exactness::kEstimated) return std::nullopt;
  constexpr size_t kMostKnown = 50'000;
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [it, added] =
      known_.try_emplace(Key(values.total, values.variance, extent));
  if (added) it->second = Computed(values, extent);
  return it->second;
}

Interval FrameIntervals::Computed(const FrameValues& values,
                                  Extent extent) const {
  const Change totals = values.Totals();
  const Interval exact = is_comparison_
                             ? *errors_.OfDifference(totals, extent)
                             : *errors_.Of(totals.now, Side::kNew, extent);
  return RoundedOutwards(exact);
}

}  // namespace heapprof
