// SPDX-License-Identifier: Apache-2.0
//
// src/report/assets/html/gamma_quantiles.js computes those of the gamma
// distribution on the page; tests/assets/agreement/filters.mjs compares the
// intervals.
#include "stats/quantiles.h"

#include <cmath>

#include "stats/exact_gamma.h"

namespace heapprof {
namespace {

// For shape parameters from this one on, CornishFisher() is used. There, Boost
// would need up to milliseconds for one quantile, while the first terms of the
// Cornish-Fisher expansion are exact to 12 digits.
constexpr double kLargeShape = 1e5;

// Returns a quantile of the gamma distribution with scale 1. `z` is the
// quantile of the standard normal distribution for the same probability.
double CornishFisher(double shape, double z) {
  const double root = std::sqrt(shape);
  const double square = z * z;
  return shape + z * root + (square - 1) / 3 + z * (square - 7) / (36 * root) -
         ((3 * square + 7) * square - 16) / (810 * shape);
}

}  // namespace

double StudentWidening(double degrees, double above) {
  if (std::isinf(degrees) || above >= 0.5) return 1;
  const double ratio = StudentQuantile(degrees, above) / NormalQuantile(above);
  return ratio * ratio;
}

double LowerGammaQuantile(double shape, double below) {
  return shape < kLargeShape ? ExactLowerGammaQuantile(shape, below)
                             : CornishFisher(shape, -NormalQuantile(below));
}

double UpperGammaQuantile(double shape, double above) {
  return shape < kLargeShape ? ExactUpperGammaQuantile(shape, above)
                             : CornishFisher(shape, NormalQuantile(above));
}

}  // namespace heapprof
