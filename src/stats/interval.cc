// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/interval.h"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

namespace heapprof {
namespace {

namespace policies = boost::math::policies;

// Makes Boost return a value instead of throwing, because damaged dumps may
// contain any numbers.
using Policy =
    policies::policy<policies::domain_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;

// With this many samples, both bounds equal the estimate to six digits.
constexpr double kManySamples = 1e12;

// The quantile of the gamma distribution with this shape and scale 1.
double GammaQuantile(double shape, double probability) {
  return boost::math::gamma_p_inv(shape, probability, Policy());
}

Interval SideInterval(const Estimate& estimate, double confidence,
                      double period) {
  if (estimate.value != 0) return ConfidenceInterval(estimate, confidence);
  return {0, period * GammaQuantile(1, (1 + confidence) / 2)};
}

}  // namespace

Interval ConfidenceInterval(const Estimate& estimate, double confidence) {
  const double size = std::abs(estimate.value);
  const Interval point = {estimate.value, estimate.value};
  if (size == 0 || estimate.variance <= 0) return point;
  const double samples = size * (size / estimate.variance);
  if (!(samples < kManySamples)) return point;
  const double worth = estimate.variance / size;
  const double tail = (1 - confidence) / 2;
  const double lower = worth * GammaQuantile(samples, tail);
  const double upper = worth * GammaQuantile(samples + 1, 1 - tail);
  return estimate.value > 0 ? Interval{lower, upper} : Interval{-upper, -lower};
}

Interval ConfidenceInterval(const Change& change, double confidence,
                            double period) {
  const auto& [value, now, base] = change;
  if (!base) return ConfidenceInterval(now, confidence);
  const Interval of_now = SideInterval(now, confidence, period);
  const Interval of_base = SideInterval(*base, confidence, period);
  return {
      value - std::hypot(now.value - of_now.lower, of_base.upper - base->value),
      value +
          std::hypot(of_now.upper - now.value, base->value - of_base.lower)};
}

}  // namespace heapprof
