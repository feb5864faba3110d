// SPDX-License-Identifier: Apache-2.0
#include "stats/gamma_bounds.h"

#include <algorithm>
#include <cmath>

#include "stats/quantiles.h"

namespace heapprof {
namespace {

// Return quantiles of the gamma distribution with this mean and variance. A
// variable with this distribution is below LowerQuantile() with probability
// `alpha`, and above UpperQuantile() with probability `alpha`.
double LowerQuantile(double mean, double variance, double alpha) {
  const double shape = mean * (mean / variance);
  if (!std::isfinite(shape)) return mean;
  return mean * (LowerGammaQuantile(shape, alpha) / shape);
}

double UpperQuantile(double mean, double variance, double alpha) {
  const double shape = mean * (mean / variance);
  if (!std::isfinite(shape)) return mean;
  return mean * (UpperGammaQuantile(shape, alpha) / shape);
}

// Return the bounds for an estimate `size`, which must be at least 0. For a
// negative estimate, pass its absolute value and negate the result.
double LowerSize(double size, double variance, double alpha) {
  return size == 0 ? 0 : LowerQuantile(size, variance, alpha);
}

double UpperSize(double size, double variance, double missed, double alpha) {
  const double worth = size > 0 ? std::max(missed, variance / size) : missed;
  if (size + worth == 0) return 0;
  return UpperQuantile(size + worth, variance + worth * worth, alpha);
}

}  // namespace

double VarianceOf(const MeasuredSide& side, double alpha) {
  const double between_runs =
      side.between_runs == 0
          ? 0
          : side.between_runs * StudentWidening(side.degrees, alpha);
  return std::max(side.mean.variance, between_runs);
}

double LowerBound(const MeasuredSide& side, double alpha) {
  const double value = side.mean.value, variance = VarianceOf(side, alpha);
  return value < 0 ? -UpperSize(-value, variance, 0, alpha)
                   : LowerSize(value, variance, alpha);
}

double UpperBound(const MeasuredSide& side, double alpha) {
  const double value = side.mean.value, variance = VarianceOf(side, alpha);
  return value < 0 ? -LowerSize(-value, variance, alpha)
                   : UpperSize(value, variance, side.missed, alpha);
}

}  // namespace heapprof
