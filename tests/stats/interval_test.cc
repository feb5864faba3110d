// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/interval.h"

#include <cmath>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// The interval of an estimate beside which nothing can have been missed.
Interval OfEstimate(const Estimate& estimate, double confidence) {
  return ConfidenceInterval(MeasuredSide{.mean = estimate}, confidence);
}

Interval OfGrowth(const Estimate& now, const Estimate& base, double missed) {
  return ConfidenceInterval(
      Growth{.now = {now, missed}, .base = {base, missed}}, 0.95);
}

TEST(ShareIntervalTest, CombinesTheBoundsOfBothParts) {
  const MeasuredSide part = {{75, 75}, 1}, rest = {{25, 25}, 1};
  const Interval of_part = ConfidenceInterval(part, kConfidence);
  const Interval of_rest = ConfidenceInterval(rest, kConfidence);
  const Interval found = ShareInterval(part, rest, kConfidence);
  EXPECT_DOUBLE_EQ(
      found.lower,
      0.75 - std::hypot(0.75 - of_part.lower / (of_part.lower + 25),
                        0.75 - 75 / (75 + of_rest.upper)));
  EXPECT_DOUBLE_EQ(
      found.upper,
      0.75 + std::hypot(of_part.upper / (of_part.upper + 25) - 0.75,
                        75 / (75 + of_rest.lower) - 0.75));
  // About the binomial interval of 75 of 100 samples: 0.653 to 0.831.
  EXPECT_NEAR(found.lower, 0.653, 0.01);
  EXPECT_NEAR(found.upper, 0.831, 0.01);
}

TEST(ShareIntervalTest, APartWithoutErrorsHasTheErrorsOfTheRest) {
  const MeasuredSide exact = {{300, 0}, 0}, rest = {{100, 100}, 1};
  const Interval of_rest = ConfidenceInterval(rest, kConfidence);
  const Interval found = ShareInterval(exact, rest, kConfidence);
  EXPECT_DOUBLE_EQ(found.lower, 300 / (300 + of_rest.upper));
  EXPECT_DOUBLE_EQ(found.upper, 300 / (300 + of_rest.lower));
}

TEST(ShareIntervalTest, SomethingMayHaveBeenMissedBesideAll) {
  const Interval found =
      ShareInterval({{1000, 1000}, 1}, {{0, 0}, 1}, kConfidence);
  EXPECT_EQ(found.upper, 1);
  EXPECT_NEAR(found.lower, 1000 / (1000 - std::log(0.025)), 1e-9);
}

TEST(ShareIntervalTest, EndsAtNothingAndAtAll) {
  const MeasuredSide one_sample = {{100, 10000}, 100};
  const Interval found = ShareInterval(one_sample, one_sample, kConfidence);
  EXPECT_EQ(found.lower, 0);
  EXPECT_EQ(found.upper, 1);
}

struct Case {
  double value;
  double variance;
  double confidence;
  double lower;
  double upper;
};

TEST(ConfidenceIntervalTest, MatchesTheGammaQuantilesComputedWithManyDigits) {
  // Computed by bisection of the series of the incomplete gamma function, with
  // 60 digits. The first three are the textbook intervals of a Poisson count.
  const Case cases[] = {
      {1, 1, 0.95, 2.531780798429e-02, 5.571643390939e+00},
      {5, 5, 0.95, 1.623486390118e+00, 1.166833207932e+01},
      {100, 100, 0.95, 8.136399125092e+01, 1.216267937924e+02},
      {2099200.667, 1.0995e12, 0.95, 5.729248741276e+05, 5.370206496407e+06},
      {7.4e6, 2.5e12, 0.95, 4.632238624025e+06, 1.121369640517e+07},
  };
  for (const Case& c : cases) {
    const Interval found = OfEstimate({c.value, c.variance}, c.confidence);
    EXPECT_NEAR(found.lower, c.lower, 1e-9 * c.lower) << c.value;
    EXPECT_NEAR(found.upper, c.upper, 1e-9 * c.upper) << c.value;
  }
}

TEST(ConfidenceIntervalTest, MirrorsANegativeDifference) {
  const Interval found = OfEstimate({-5, 5}, 0.95);
  EXPECT_NEAR(found.lower, -1.166833207932e+01, 1e-9);
  EXPECT_NEAR(found.upper, -1.623486390118e+00, 1e-9);
}

// The bounds of both sides are in the table above.
TEST(ConfidenceIntervalTest, OfAChangeCombinesTheBoundsOfBothSides) {
  const Estimate hundred = {100, 100}, five = {5, 5};
  const double below_hundred = 100 - 8.136399125092e+01;
  const double above_hundred = 1.216267937924e+02 - 100;
  const double below_five = 5 - 1.623486390118;
  const double above_five = 1.166833207932e+01 - 5;
  const Interval same = OfGrowth(hundred, hundred, 1);
  EXPECT_NEAR(same.upper, std::hypot(above_hundred, below_hundred), 1e-9);
  EXPECT_NEAR(same.lower, -same.upper, 1e-9);
  const Interval grown = OfGrowth(hundred, five, 1);
  EXPECT_NEAR(grown.lower, 95 - std::hypot(below_hundred, above_five), 1e-9);
  EXPECT_NEAR(grown.upper, 95 + std::hypot(above_hundred, below_five), 1e-9);
  const Interval shrunk = OfGrowth(five, hundred, 1);
  EXPECT_NEAR(shrunk.lower, -grown.upper, 1e-9);
  EXPECT_NEAR(shrunk.upper, -grown.lower, 1e-9);
}

TEST(ConfidenceIntervalTest, OfASideWithoutSamplesReachesAFewPeriods) {
  // -ln 0.025, the upper bound of a Poisson count of 0. Five samples of 10.
  constexpr double kUpper = 3.688879454113936;
  const Estimate five = {50, 500};
  const Interval appeared = OfGrowth(five, {}, 10);
  EXPECT_NEAR(appeared.lower, 50 - 10 * std::hypot(5 - 1.623486390118, kUpper),
              1e-8);
  EXPECT_NEAR(appeared.upper, 10 * 1.166833207932e+01, 1e-8);
  const Interval vanished = OfGrowth({}, five, 10);
  EXPECT_NEAR(vanished.lower, -appeared.upper, 1e-8);
  EXPECT_NEAR(vanished.upper, -appeared.lower, 1e-8);
}

TEST(ConfidenceIntervalTest, AllowsForMissedSamplesBesideLargeObjects) {
  // One object of 1000, sampled for certain: only others can have been missed.
  const Estimate certain = {1000, 0};
  EXPECT_EQ(OfEstimate(certain, 0.95).upper, 1000);
  const Interval found =
      ConfidenceInterval(MeasuredSide{.mean = certain, .missed = 10}, 0.95);
  EXPECT_EQ(found.lower, 1000);
  // The gamma distribution with mean 1010 and standard deviation 10, computed
  // with scipy.
  EXPECT_NEAR(found.upper, 1029.6932481330227, 1e-8);
}

TEST(ConfidenceIntervalTest, WidensWithTheConfidence) {
  const Interval narrow = OfEstimate({100, 100}, 0.5);
  const Interval wide = OfEstimate({100, 100}, 0.99);
  EXPECT_LT(wide.lower, narrow.lower);
  EXPECT_GT(wide.upper, narrow.upper);
}

TEST(ConfidenceIntervalTest, IsThePointWhereNothingIsUncertain) {
  for (const Estimate& estimate :
       {Estimate{0, 0}, Estimate{7, 0}, Estimate{0, 5}, Estimate{1e30, 1}}) {
    const Interval found = OfEstimate(estimate, 0.95);
    EXPECT_EQ(found.lower, estimate.value);
    EXPECT_EQ(found.upper, estimate.value);
  }
}

TEST(ConfidenceIntervalTest, StaysFiniteAroundTheEstimateForAnyCount) {
  for (double samples = 1e-3; samples < 1e13; samples *= 3) {
    const double variance = 1e12 / samples;
    const Interval found = OfEstimate({1e6, variance}, 0.95);
    EXPECT_TRUE(std::isfinite(found.upper)) << samples;
    EXPECT_GE(found.lower, 0) << samples;
    EXPECT_LE(found.lower, 1e6) << samples;
    EXPECT_GE(found.upper, 1e6) << samples;
    // Six standard deviations, except for the smallest counts.
    if (samples > 10) {
      EXPECT_LT(found.upper - found.lower, 6 * std::sqrt(variance)) << samples;
    }
  }
}

}  // namespace
}  // namespace heapprof
