// SPDX-License-Identifier: Apache-2.0
//
// The quantiles that plain_quantiles.cc computes in a build without Boost.
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

#include "stats/exact_gamma.h"
#include "stats/quantiles.h"

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

}  // namespace

double NormalQuantile(double above) {
  const boost::math::normal_distribution<double, Policy> normal;
  return quantile(complement(normal, above));
}

double StudentQuantile(double degrees, double above) {
  const boost::math::students_t_distribution<double, Policy> student(degrees);
  return quantile(complement(student, above));
}

double ExactLowerGammaQuantile(double shape, double below) {
  return boost::math::gamma_p_inv(shape, below, Policy());
}

double ExactUpperGammaQuantile(double shape, double above) {
  return boost::math::gamma_q_inv(shape, above, Policy());
}

double BetaQuantile(double a, double b, double below) {
  return boost::math::ibeta_inv(a, b, below, Policy());
}

}  // namespace heapprof
