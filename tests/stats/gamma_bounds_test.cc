// SPDX-License-Identifier: Apache-2.0
#include "stats/gamma_bounds.h"

#include <cmath>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr double kWorth = 4096;  // of one sample
constexpr double kAlpha = 0.05;

// An estimate from this many samples.
Estimate Counted(double samples) {
  return {samples * kWorth, samples * kWorth * kWorth};
}

// The probability that a Poisson variable with this mean is at most 1.
double AtMostOne(double mean) { return (1 + mean) * std::exp(-mean); }

TEST(GammaBoundsTest, OfOneSampleAreThoseOfAPoissonCount) {
  // At the lower bound, one or more events have the probability alpha; at the
  // upper one, at most one.
  const double lower = LowerBound({Counted(1)}, kAlpha) / kWorth;
  EXPECT_NEAR(1 - std::exp(-lower), kAlpha, 1e-9);
  const double upper = UpperBound({Counted(1), kWorth}, kAlpha) / kWorth;
  EXPECT_NEAR(AtMostOne(upper), kAlpha, 1e-9);
}

TEST(GammaBoundsTest, OfNoSampleAllowForMissedOnes) {
  EXPECT_EQ(LowerBound({}, kAlpha), 0);
  EXPECT_EQ(UpperBound({}, kAlpha), 0);
  EXPECT_NEAR(UpperBound({.missed = kWorth}, kAlpha),
              -std::log(kAlpha) * kWorth, 1e-6);
}

TEST(GammaBoundsTest, AllowForAMissedSampleThatIsWorthMoreThanTheSeenOnes) {
  const double upper = UpperBound({Counted(1)}, kAlpha);
  EXPECT_EQ(UpperBound({Counted(1), kWorth / 2}, kAlpha), upper);
  EXPECT_GT(UpperBound({Counted(1), kWorth * 2}, kAlpha), upper);
  // A large object that is sampled always has no variance.
  EXPECT_GT(UpperBound({{kWorth, 0}, kWorth}, kAlpha), kWorth);
}

TEST(GammaBoundsTest, OfANegativeValueAreMirrored) {
  const Estimate mirrored = {-kWorth, kWorth * kWorth};
  EXPECT_EQ(UpperBound({mirrored, kWorth * 9}, kAlpha),
            -LowerBound({Counted(1)}, kAlpha));
  EXPECT_EQ(LowerBound({mirrored}, kAlpha), -UpperBound({Counted(1)}, kAlpha));
}

// A normal variable whose variance comes from a few runs has the bounds of
// Student's t distribution. With four degrees of freedom, its quantile at 0.025
// is 2.776 (Abramowitz and Stegun 1964, table 26.10).
TEST(GammaBoundsTest, AreThoseOfStudentIfTheVarianceComesFromFewRuns) {
  const MeasuredSide many = {
      .mean = {1e6, 1}, .between_runs = 100, .degrees = 4};
  EXPECT_NEAR(LowerBound(many, 0.025), 1e6 - 27.76, 0.01);
  EXPECT_NEAR(UpperBound(many, 0.025), 1e6 + 27.76, 0.01);
}

TEST(GammaBoundsTest, AreThoseOfTheSamplingErrorIfRunsVaryLess) {
  const MeasuredSide sampled = {.mean = {1e6, 100}};
  for (const double between_runs : {0.0, 1.0, 50.0}) {
    const MeasuredSide side = {
        .mean = {1e6, 100}, .between_runs = between_runs, .degrees = 100};
    EXPECT_EQ(LowerBound(side, kAlpha), LowerBound(sampled, kAlpha));
    EXPECT_EQ(UpperBound(side, kAlpha), UpperBound(sampled, kAlpha));
  }
}

TEST(GammaBoundsTest, AreTheValueIfNothingIsUncertain) {
  for (const double value : {-3.0, 0.0, 5e-324, 7.0, 1e300}) {
    EXPECT_EQ(LowerBound({{value, 0}}, kAlpha), value);
    EXPECT_EQ(UpperBound({{value, 0}}, kAlpha), value);
  }
}

}  // namespace
}  // namespace heapprof
