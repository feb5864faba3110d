// SPDX-License-Identifier: Apache-2.0
//
// Whether a value grows over a series of dumps: its slope over all of them and
// over the last half. A cache that fills has grown, but no longer does; a leak
// grows in both. Therefore, growth is proven only if both slopes are proven to
// be above 0. The last half must grow without the last dump, too: in that one,
// the process may be ending, and if it is much later than the others, it alone
// decides where the line goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "heapprof/stats/slope.h"

namespace heapprof {

enum class TrendLabel : uint8_t {
  kGrowing,    // both slopes are proven to be above 0, and it still grows
  kUnclear,    // it grew; whether it still grows cannot be told yet
  kPlateaued,  // it grew, but hardly does in the last half or quarter
  kSteady,     // no trend is proven
  kSawtooth,   // it falls again and again
  kSpike,      // it rose and fell once, in a short time
  kDropped,    // it fell once, to half or less, and stayed there
  kShrinking,  // both slopes are proven to be below 0
};

// "growing", "unclear" ...
std::string_view TrendLabelName(TrendLabel label);

// With fewer points, the last half has too few to tell a slope from noise.
inline constexpr size_t kFewestPoints = 5;

struct Trend {
  Slope all;
  Slope last_half;     // of the later half of the points
  Slope without_last;  // of the later half, without the last point

  // Returns the smallest of the lower bounds of the slopes. Each bound is wrong
  // with a probability of at most `alpha`.
  double LowerBound(double alpha) const;
  // Returns the largest of the upper bounds.
  double UpperBound(double alpha) const;
};

Trend FitTrend(std::span<const SeriesPoint> points);

// `alpha` is the probability that a bound is wrong by chance. If several values
// are examined, divide it by their number.
TrendLabel LabelTrend(std::span<const SeriesPoint> points, const Trend& trend,
                      double alpha);

}  // namespace heapprof
