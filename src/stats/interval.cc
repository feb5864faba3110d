// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/interval.h"

#include <algorithm>
#include <cmath>

#include "stats/gamma_bounds.h"
#include "stats/quantiles.h"

namespace heapprof {

Interval ConfidenceInterval(const MeasuredSide& side, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {LowerBound(side, tail), UpperBound(side, tail)};
}

double NormalDeviations(double tail) { return NormalQuantile(tail); }

double FactorOfVariance(double degrees, double tail) {
  return StudentWidening(degrees, tail);
}

Interval ConfidenceInterval(const Growth& growth, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {LowerGrowthBound(growth, 1, tail), UpperGrowthBound(growth, 1, tail)};
}

Interval ShareInterval(const MeasuredSide& part, const MeasuredSide& rest,
                       double confidence) {
  const double a = part.mean.value, b = rest.mean.value;
  const auto share_of = [](double value, double others) {
    return value + others > 0 ? value / (value + others) : 0;
  };
  const double share = share_of(a, b);
  const Interval of_part = ConfidenceInterval(part, confidence);
  const Interval of_rest = ConfidenceInterval(rest, confidence);
  const double below = std::hypot(share - share_of(of_part.lower, b),
                                  share - share_of(a, of_rest.upper));
  const double above = std::hypot(share_of(of_part.upper, b) - share,
                                  share_of(a, of_rest.lower) - share);
  return {std::max(0.0, share - below), std::min(1.0, share + above)};
}

}  // namespace heapprof
