// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/proportion.h"

#include <cmath>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr double kLevel = 0.95, kTail = 0.025;

// The probability of at most `most` of `samples`, each with probability
// `share`.
double AtMost(int most, int samples, double share) {
  double sum = 0;
  for (int i = 0; i <= most; ++i)
    sum += std::exp(std::lgamma(samples + 1) - std::lgamma(i + 1) -
                    std::lgamma(samples - i + 1) + i * std::log(share) +
                    (samples - i) * std::log1p(-share));
  return sum;
}

// By their definition, the bounds are the shares with which as many, or as few,
// are just improbable.
TEST(ProportionIntervalTest, MeetsItsDefinition) {
  for (const int samples : {4, 20, 300})
    for (const int counted : {1, samples / 2, samples - 1}) {
      const Interval bounds = ProportionInterval(
          static_cast<double>(counted) / samples, samples, kLevel);
      EXPECT_NEAR(1 - AtMost(counted - 1, samples, bounds.lower), kTail, 1e-6);
      EXPECT_NEAR(AtMost(counted, samples, bounds.upper), kTail, 1e-6);
    }
}

TEST(ProportionIntervalTest, HasClosedFormsAtBothEnds) {
  const Interval none = ProportionInterval(0, 10, kLevel);
  EXPECT_EQ(none.lower, 0);
  EXPECT_NEAR(none.upper, 1 - std::pow(kTail, 0.1), 1e-9);
  const Interval all = ProportionInterval(1, 10, kLevel);
  EXPECT_NEAR(all.lower, std::pow(kTail, 0.1), 1e-9);
  EXPECT_EQ(all.upper, 1);
}

TEST(ProportionIntervalTest, SaysNothingWithoutSamples) {
  for (const double samples : {0.0, -1.0, std::nan("")}) {
    const Interval bounds = ProportionInterval(0.5, samples, kLevel);
    EXPECT_EQ(bounds.lower, 0);
    EXPECT_EQ(bounds.upper, 1);
  }
}

}  // namespace
}  // namespace heapprof
