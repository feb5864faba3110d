// SPDX-License-Identifier: Apache-2.0
#include "stats/quantiles.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(NormalQuantileTest, IsAboveZeroForSmallProbabilities) {
  EXPECT_EQ(NormalQuantile(0.5), 0);
  EXPECT_NEAR(NormalQuantile(0.025), 1.959963984540054, 1e-12);
  EXPECT_NEAR(NormalQuantile(0.975), -1.959963984540054, 1e-12);
}

TEST(StudentQuantileTest, MatchesTheClosedFormsForOneAndTwoDegrees) {
  for (const double above : {0.001, 0.05, 0.3}) {
    EXPECT_NEAR(
        StudentQuantile(1, above) / std::tan(std::numbers::pi * (0.5 - above)),
        1, 1e-12);
    EXPECT_NEAR(
        StudentQuantile(2, above) /
            ((1 - 2 * above) * std::sqrt(1 / (2 * above * (1 - above)))),
        1, 1e-12);
  }
}

TEST(StudentWideningTest, IsTheSquareOfHowMuchLargerTheQuantileIs) {
  constexpr double kNormal = 1.6448536269514722;
  const double of_one = std::tan(std::numbers::pi * 0.45) / kNormal;
  EXPECT_NEAR(StudentWidening(1, 0.05), of_one * of_one, 1e-9);
  EXPECT_NEAR(StudentWidening(1e9, 0.05), 1, 1e-6);
  EXPECT_EQ(StudentWidening(std::numeric_limits<double>::infinity(), 0.05), 1);
  // Far out, few degrees of freedom matter more.
  EXPECT_GT(StudentWidening(4, 1e-4), 2 * StudentWidening(4, 0.05));
}

// With shape 1, the gamma distribution is the exponential one. With shape 1/2,
// it is that of half the square of a standard normal variable.
TEST(GammaQuantileTest, MatchesTheClosedForms) {
  for (const double p : {0.01, 0.5, 0.9}) {
    EXPECT_NEAR(LowerGammaQuantile(1, p) / -std::log1p(-p), 1, 1e-12);
    EXPECT_NEAR(UpperGammaQuantile(1, p) / -std::log(p), 1, 1e-12);
    const double z = NormalQuantile(p / 2);
    EXPECT_NEAR(UpperGammaQuantile(0.5, p) / (z * z / 2), 1, 1e-12);
  }
}

TEST(GammaQuantileTest, IsPreciseForTinyProbabilities) {
  EXPECT_NEAR(LowerGammaQuantile(1, 1e-200) / 1e-200, 1, 1e-12);
  EXPECT_NEAR(UpperGammaQuantile(1, 1e-200) / (200 * std::numbers::ln10), 1,
              1e-12);
}

TEST(GammaQuantileTest, HasNoStepWhereTheExpansionTakesOver) {
  const double large = 1e5;
  const double less = std::nextafter(large, 0);
  for (const double p : {1e-6, 0.025, 0.5, 0.9}) {
    EXPECT_NEAR(LowerGammaQuantile(large, p) / LowerGammaQuantile(less, p), 1,
                1e-11);
    EXPECT_NEAR(UpperGammaQuantile(large, p) / UpperGammaQuantile(less, p), 1,
                1e-11);
  }
}

TEST(QuantilesTest, NeverThrow) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double shape :
       {kNan, -kInfinity, -1.0, 0.0, 1e-300, 1.0, 1e300, kInfinity})
    for (const double p : {kNan, -1.0, 0.0, 1e-300, 1.0, 2.0}) {
      EXPECT_NO_THROW(NormalQuantile(p));
      EXPECT_NO_THROW(StudentQuantile(shape, p)) << shape << ' ' << p;
      EXPECT_NO_THROW(LowerGammaQuantile(shape, p)) << shape << ' ' << p;
      EXPECT_NO_THROW(UpperGammaQuantile(shape, p)) << shape << ' ' << p;
    }
}

}  // namespace
}  // namespace heapprof
