// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/interval.h"

#include <cmath>

#include "stats/gamma_bounds.h"

namespace heapprof {
namespace {

Interval SideInterval(const Estimate& estimate, double confidence,
                      double period) {
  const double tail = (1 - confidence) / 2;
  return {LowerBound(estimate, tail), UpperBound(estimate, period, tail)};
}

}  // namespace

Interval ConfidenceInterval(const Estimate& estimate, double confidence) {
  return SideInterval(estimate, confidence, 0);
}

Interval ConfidenceInterval(const Change& change, double confidence,
                            double period) {
  const auto& [value, now, base] = change;
  const Interval of_now = SideInterval(now, confidence, period);
  if (!base) return of_now;
  const Interval of_base = SideInterval(*base, confidence, period);
  return {
      value - std::hypot(now.value - of_now.lower, of_base.upper - base->value),
      value +
          std::hypot(of_now.upper - now.value, base->value - of_base.lower)};
}

}  // namespace heapprof
