// SPDX-License-Identifier: Apache-2.0
//
// In place of boost_quantiles.cc, for a build without Boost: Newton's method
// finds where a distribution has the wanted tail.
//
// Each distribution is taken of a variable whose density has a concave
// logarithm: the normal variable itself, the logarithm of a gamma variable, and
// the logarithm of the odds of a beta variable. The logarithm of a tail is then
// concave, too, and Newton's method converges from any start. Only tails up to
// 1/2 are sought; 1 - p is exact for the others.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "stats/exact_gamma.h"
#include "stats/log_gamma.h"
#include "stats/quantiles.h"

namespace heapprof {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Sums and continued fractions take about 9 * sqrt(shape) terms.
constexpr int kMostTerms = 100000;

bool IsProbability(double p) { return p >= 0 && p <= 1; }

// Returns log(gamma(a) * gamma(b) / gamma(a + b)), where a <= b.
double LogBeta(double a, double b) {
  constexpr double kLarge = 100;
  if (b < kLarge) return LogGamma(a) + LogGamma(b) - LogGamma(a + b);
  // The difference would lose the digits that Stirling's formula keeps.
  const auto rest = [](double x) {
    const double square = x * x;
    return (1.0 / 12 - (1.0 / 360 - 1 / (1260 * square)) / square) / x;
  };
  return LogGamma(a) - (b - 0.5) * std::log1p(a / b) - a * std::log(a + b) + a +
         rest(b) - rest(a + b);
}

// Returns log(1 + exp(x)).
double Softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

struct Tail {
  double log = 0;    // the logarithm of its probability
  double slope = 0;  // how `log` changes with the variable
};

// Returns the variable, from `lowest` to `highest`, at which the logarithm of a
// tail is `wanted`.
template <typename TailAt>
double Solve(double wanted, double start, double lowest, double highest,
             TailAt tail_at) {
  constexpr int kMostSteps = 100;
  // The next step would be about the square of this one.
  constexpr double kLastStep = 1e-9;
  double at = std::clamp(start, lowest, highest);
  for (int i = 0; i < kMostSteps && std::isfinite(at); ++i) {
    const Tail tail = tail_at(at);
    const double next =
        std::clamp(at - (tail.log - wanted) / tail.slope, lowest, highest);
    const double step = std::abs(next - std::exchange(at, next));
    if (step <= kLastStep) break;
  }
  return at;
}

struct Fraction {
  double numerator = 1;
  double denominator = 1;
};

// Returns n1 / (d1 + n2 / (d2 + ...)) by Lentz's method. `part(i)` returns ni
// and di.
template <typename Part>
double ContinuedFraction(Part part) {
  constexpr double kTiny = 1e-300;  // in place of 0
  double value = kTiny, up = kTiny, down = 0;
  for (int i = 1; i <= kMostTerms; ++i) {
    const Fraction next = part(i);
    up = next.denominator + next.numerator / up;
    down = next.denominator + next.numerator * down;
    if (up == 0) up = kTiny;
    if (down == 0) down = kTiny;
    down = 1 / down;
    value *= up * down;
    if (std::abs(up * down - 1) <= kEpsilon) break;
  }
  return value;
}

// Tails of the gamma distribution, of the variable log(x).
class GammaTails {
 public:
  explicit GammaTails(double shape)
      : shape_(shape), log_factorial_(LogGamma(shape + 1)) {}

  Tail Lower(double log_x) const {
    const double log = IsLeft(log_x) ? LogLower(log_x)
                                     : std::log1p(-std::exp(LogUpper(log_x)));
    return {log, std::exp(LogDensity(log_x) - log)};
  }
  Tail Upper(double log_x) const {
    const double log = IsLeft(log_x) ? std::log(-std::expm1(LogLower(log_x)))
                                     : LogUpper(log_x);
    return {log, -std::exp(LogDensity(log_x) - log)};
  }
  // Return bounds for the variable whose tail has this logarithm. The lower
  // tail is at most x^shape / shape!; the upper one follows from Chernoff's
  // bound.
  double LowestFor(double log_lower) const {
    return (log_lower + log_factorial_) / shape_;
  }
  double HighestFor(double log_upper) const {
    return std::log(shape_ + std::sqrt(-2 * shape_ * log_upper) - log_upper);
  }
  // Estimates the variable that is `z` standard deviations above the mean
  // (Wilson and Hilferty). Returns `otherwise` if that is below 0.
  double Estimate(double z, double otherwise) const {
    const double root = 1 - 1 / (9 * shape_) + z / (3 * std::sqrt(shape_));
    return root > 0 ? std::log(shape_) + 3 * std::log(root) : otherwise;
  }

 private:
  // True where LogLower() converges fast; elsewhere, LogUpper() does.
  bool IsLeft(double log_x) const { return std::exp(log_x) < shape_ + 1; }

  double LogDensity(double log_x) const {
    return shape_ * log_x - std::exp(log_x) - log_factorial_ + std::log(shape_);
  }

  double LogLower(double log_x) const {
    const double x = std::exp(log_x);
    double sum = 1, term = 1;
    for (int i = 1; i <= kMostTerms && term > sum * kEpsilon; ++i) {
      term *= x / (shape_ + i);
      sum += term;
    }
    return LogDensity(log_x) + std::log(sum / shape_);
  }

  double LogUpper(double log_x) const {
    const double start = std::exp(log_x) + 1 - shape_;
    return LogDensity(log_x) + std::log(ContinuedFraction([this, start](int i) {
             const double k = i - 1;
             return Fraction{i == 1 ? 1 : k * (shape_ - k), start + 2 * k};
           }));
  }

  double shape_;
  double log_factorial_;
};

// The lower tail of the beta distribution, of the variable log(x / (1 - x)).
class BetaTail {
 public:
  BetaTail(double a, double b)
      : a_(a), b_(b), log_beta_(LogBeta(std::min(a, b), std::max(a, b))) {}

  Tail At(double log_odds) const {
    const double log_x = -Softplus(-log_odds), log_rest = -Softplus(log_odds);
    const double log_density = a_ * log_x + b_ * log_rest - log_beta_;
    const double x = std::exp(log_x);
    const double log =
        x < (a_ + 1) / (a_ + b_ + 2)
            ? log_density + std::log(Part(a_, b_, x))
            : std::log1p(-std::exp(log_density +
                                   std::log(Part(b_, a_, std::exp(log_rest)))));
    return {log, std::exp(log_density - log)};
  }
  // Returns a bound for the variable whose tail has this logarithm: the density
  // is at most odds^a / B(a, b).
  double LowestFor(double log_lower) const {
    return (log_lower + std::log(a_) + log_beta_) / a_;
  }
  // Estimates the variable that is `z` standard deviations above the mean.
  double Estimate(double z) const {
    return std::log(a_ / b_) + z * std::sqrt(1 / a_ + 1 / b_);
  }

 private:
  // Returns the tail below `x`, divided by the density.
  static double Part(double a, double b, double x) {
    return ContinuedFraction([a, b, x](int i) -> Fraction {
             if (i == 1) return {};
             const int k = (i - 1) / 2;
             const double first = a + (i - 1);
             const double numerator =
                 i % 2 == 0 ? -(a + k) * (a + b + k) : k * (b - k);
             return {numerator * x / (first * (first - 1)), 1};
           }) /
           a;
  }

  double a_;
  double b_;
  double log_beta_;
};

// Returns the logarithm of the odds below which a variable with the beta
// distribution lies with probability `below`.
double LogOddsQuantile(double a, double b, double below) {
  if (below > 0.5) return -LogOddsQuantile(b, a, 1 - below);
  const BetaTail tail(a, b);
  const double log = std::log(below);
  return Solve(log, tail.Estimate(-NormalQuantile(below)), tail.LowestFor(log),
               kInfinity, [&](double at) { return tail.At(at); });
}

// Returns the first terms of the expansion around the normal distribution.
double StudentOfMany(double degrees, double z) {
  const double square = z * z;
  return z * (1 + (square + 1) / (4 * degrees) +
              ((5 * square + 16) * square + 3) / (96 * degrees * degrees));
}

}  // namespace

double NormalQuantile(double above) {
  if (!IsProbability(above)) return kNan;
  if (above > 0.5) return -NormalQuantile(1 - above);
  const double log_density = -std::log(2 * std::numbers::pi) / 2;
  // The tail is at most exp(-z * z / 2) / 2.
  const double highest = std::sqrt(-2 * std::log(2 * above));
  return Solve(std::log(above), highest, 0, highest, [&](double z) -> Tail {
    const double log = std::log(std::erfc(z / std::numbers::sqrt2) / 2);
    return {log, -std::exp(log_density - z * z / 2 - log)};
  });
}

double StudentQuantile(double degrees, double above) {
  // From here on, the expansion is exact to 12 digits.
  constexpr double kMany = 1e5;
  if (!(degrees > 0) || !IsProbability(above)) return kNan;
  if (above > 0.5) return -StudentQuantile(degrees, 1 - above);
  if (degrees >= kMany) return StudentOfMany(degrees, NormalQuantile(above));
  // degrees / (degrees + t * t) has a beta distribution.
  const double log_odds = LogOddsQuantile(degrees / 2, 0.5, 2 * above);
  return std::sqrt(degrees * std::exp(-log_odds));
}

double ExactLowerGammaQuantile(double shape, double below) {
  if (!(shape > 0) || !IsProbability(below)) return kNan;
  if (below > 0.5) return ExactUpperGammaQuantile(shape, 1 - below);
  const GammaTails tails(shape);
  const double log = std::log(below), lowest = tails.LowestFor(log);
  return std::exp(Solve(log, tails.Estimate(-NormalQuantile(below), lowest),
                        lowest, kInfinity,
                        [&](double at) { return tails.Lower(at); }));
}

double ExactUpperGammaQuantile(double shape, double above) {
  if (!(shape > 0) || !IsProbability(above)) return kNan;
  if (above > 0.5) return ExactLowerGammaQuantile(shape, 1 - above);
  const GammaTails tails(shape);
  const double log = std::log(above), highest = tails.HighestFor(log);
  return std::exp(Solve(log, tails.Estimate(NormalQuantile(above), highest),
                        -kInfinity, highest,
                        [&](double at) { return tails.Upper(at); }));
}

double BetaQuantile(double a, double b, double below) {
  if (!(a > 0) || !(b > 0) || !IsProbability(below)) return kNan;
  return std::exp(-Softplus(-LogOddsQuantile(a, b, below)));
}

}  // namespace heapprof
