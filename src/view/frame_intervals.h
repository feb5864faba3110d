// SPDX-License-Identifier: Apache-2.0
//
// The error bars of the nodes of a calling-context tree.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

#include "heapprof/stats/interval.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/frame_tree.h"

namespace heapprof {

// Computes intervals, and remembers them for a while: most frames have the
// values of their only child, so a value often equals an earlier one.
class FrameIntervals {
 public:
  FrameIntervals(const ErrorBars& errors, bool is_comparison)
      : errors_(errors), is_comparison_(is_comparison) {}

  // Returns the interval of FrameValues::total or, in a comparison, of its
  // change. Its bounds are whole numbers. Returns nothing without error bars.
  // The root of the tree is the total.
  std::optional<Interval> Of(const FrameValues& values,
                             Extent extent = Extent::kEntry);

 private:
  Interval Computed(const FrameValues& values, Extent extent) const;

  const ErrorBars& errors_;
  const bool is_comparison_;
  using Key = std::tuple<Sides<int64_t>, Sides<double>, Extent>;
  std::map<Key, Interval> known_;
};

}  // namespace heapprof
