// SPDX-License-Identifier: Apache-2.0
//
// Compares the quantiles of a build without Boost with those of Boost.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "stats/exact_gamma.h"
#include "stats/quantiles.h"

// plain_quantiles.cc, compiled with this namespace in place of heapprof.
namespace plain {

double NormalQuantile(double above);
double StudentQuantile(double degrees, double above);
double ExactLowerGammaQuantile(double shape, double below);
double ExactUpperGammaQuantile(double shape, double above);
double BetaQuantile(double a, double b, double below);

}  // namespace plain

namespace heapprof {
namespace {

constexpr double kTails[] = {1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.025, 0.05, 0.2,
                             0.4,   0.5,  0.6,  0.8,  0.95, 0.975, 0.999};

void ExpectSame(double plain, double boost) {
  constexpr double kPrecision = 1e-9;
  EXPECT_NEAR(plain, boost, kPrecision * std::abs(boost));
}

TEST(PlainQuantilesTest, EqualThoseOfTheNormalDistribution) {
  for (const double p : kTails)
    ExpectSame(plain::NormalQuantile(p), NormalQuantile(p));
  ExpectSame(plain::NormalQuantile(1e-300), NormalQuantile(1e-300));
}

TEST(PlainQuantilesTest, EqualThoseOfStudentsDistribution) {
  for (const double degrees : {1.0, 2.0, 3.0, 4.5, 10.0, 98.0, 1e4, 1e5, 1e7})
    for (const double p : kTails) {
      SCOPED_TRACE(testing::Message() << degrees << ' ' << p);
      ExpectSame(plain::StudentQuantile(degrees, p),
                 StudentQuantile(degrees, p));
    }
}

TEST(PlainQuantilesTest, EqualThoseOfTheGammaDistribution) {
  for (const double shape :
       {0.5, 0.7, 1.0, 1.5, 2.0, 5.0, 17.0, 100.0, 1234.5, 3e4, 99999.0})
    for (const double p : kTails) {
      SCOPED_TRACE(testing::Message() << shape << ' ' << p);
      ExpectSame(plain::ExactLowerGammaQuantile(shape, p),
                 ExactLowerGammaQuantile(shape, p));
      ExpectSame(plain::ExactUpperGammaQuantile(shape, p),
                 ExactUpperGammaQuantile(shape, p));
    }
}

TEST(PlainQuantilesTest, EqualThoseOfTheBetaDistribution) {
  for (const double a : {0.5, 1.0, 3.0, 20.0, 1000.0, 1e6})
    for (const double b : {0.5, 1.0, 7.0, 300.0, 1e6})
      for (const double p : kTails) {
        SCOPED_TRACE(testing::Message() << a << ' ' << b << ' ' << p);
        ExpectSame(plain::BetaQuantile(a, b, p), BetaQuantile(a, b, p));
      }
}

TEST(PlainQuantilesTest, AreKnownAtTheEnds) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(plain::NormalQuantile(0.5), 0);
  EXPECT_EQ(plain::NormalQuantile(0), kInfinity);
  EXPECT_EQ(plain::StudentQuantile(2, 0.5), 0);
  EXPECT_EQ(plain::StudentQuantile(2, 0), kInfinity);
  EXPECT_EQ(plain::ExactLowerGammaQuantile(2, 0), 0);
  EXPECT_EQ(plain::ExactUpperGammaQuantile(2, 0), kInfinity);
  EXPECT_EQ(plain::BetaQuantile(2, 3, 0), 0);
  EXPECT_EQ(plain::BetaQuantile(2, 3, 1), 1);
}

// A dump may contain any numbers.
TEST(PlainQuantilesTest, EndForAnyNumbers) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double shape : {kNan, -kInfinity, -1.0, 0.0, 1e-300, 1e-10, 1.0,
                             1e10, 1e300, kInfinity})
    for (const double p : {kNan, -1.0, 0.0, 1e-300, 0.1, 1.0, 2.0}) {
      const bool is_valid = shape > 0 && p >= 0 && p <= 1;
      for (const double quantile :
           {plain::StudentQuantile(shape, p),
            plain::ExactLowerGammaQuantile(shape, p),
            plain::ExactUpperGammaQuantile(shape, p),
            plain::BetaQuantile(shape, 1, p), plain::BetaQuantile(1, shape, p)})
        EXPECT_TRUE(is_valid || std::isnan(quantile)) << shape << ' ' << p;
    }
}

}  // namespace
}  // namespace heapprof
