// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/interval.h"

#include "stats/gamma_bounds.h"

namespace heapprof {

Interval ConfidenceInterval(const MeasuredSide& side, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {LowerBound(side.mean, tail),
          UpperBound(side.mean, side.missed, tail)};
}

Interval ConfidenceInterval(const Growth& growth, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {LowerGrowthBound(growth, 1, tail), UpperGrowthBound(growth, 1, tail)};
}

}  // namespace heapprof
