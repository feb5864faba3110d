// SPDX-License-Identifier: Apache-2.0
#include "stats/quantiles.h"

#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace heapprof {
namespace {

namespace policies = boost::math::policies;

// Without promotion, because quantiles in long double take several times as
// long.
using Policy =
    policies::policy<policies::domain_error<policies::ignore_error>,
                     policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>,
                     policies::promote_double<false>>;

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

double NormalQuantile(double above) {
  const boost::math::normal_distribution<double, Policy> normal;
  return quantile(complement(normal, above));
}

double StudentQuantile(double degrees, double above) {
  const boost::math::students_t_distribution<double, Policy> student(degrees);
  return quantile(complement(student, above));
}

double StudentWidening(double degrees) {
  constexpr double kLevel = 0.05;
  const double ratio =
      StudentQuantile(degrees, kLevel) / NormalQuantile(kLevel);
  return ratio * ratio;
}

double LowerGammaQuantile(double shape, double below) {
  return shape < kLargeShape ? boost::math::gamma_p_inv(shape, below, Policy())
                             : CornishFisher(shape, -NormalQuantile(below));
}

double UpperGammaQuantile(double shape, double above) {
  return shape < kLargeShape ? boost::math::gamma_q_inv(shape, above, Policy())
                             : CornishFisher(shape, NormalQuantile(above));
}

double BetaQuantile(double a, double b, double below) {
  return boost::math::ibeta_inv(a, b, below, Policy());
}

}  // namespace heapprof
