// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/error_bars.h"

#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"

namespace heapprof {
namespace {

ErrorBars Bars(uint64_t period, Metric metric = Metric::kInuseSpace) {
  Profile profile;
  profile.sampling_period = period;
  return {profile, metric};
}

TEST(ErrorBarsTest, KnowWhyThereAreNone) {
  EXPECT_EQ(Bars(512).exactness(), Exactness::kSampled);
  EXPECT_EQ(Bars(1).exactness(), Exactness::kExact);
  EXPECT_EQ(Bars(0).exactness(), Exactness::kUnknownPeriod);
  EXPECT_EQ(Bars(512, Metric::kAllocObjects).exactness(),
            Exactness::kObjectCount);
  EXPECT_EQ(Bars(1, Metric::kAllocObjects).exactness(), Exactness::kExact);
  const Change change = {.value = 9, .now = {9, 9}};
  for (const ErrorBars& bars :
       {Bars(1), Bars(0), Bars(512, Metric::kInuseObjects)}) {
    EXPECT_FALSE(bars.Of(change));
    EXPECT_FALSE(bars.Of(change.now));
    EXPECT_FALSE(bars.Samples(change));
  }
}

// Each of 4 samples is worth 25; Garwood's bounds of a count of 4 are 1.0899
// and 10.2416.
TEST(ErrorBarsTest, AreTheBoundsOfACount) {
  const Estimate estimate = {.value = 100, .variance = 2500};
  for (const auto& interval :
       {Bars(25).Of(estimate),
        Bars(25).Of(Change{.value = 100, .now = estimate})}) {
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->lower, 27.246, 0.001);
    EXPECT_NEAR(interval->upper, 256.040, 0.001);
  }
  EXPECT_EQ(Bars(25).Samples(estimate), 4);
}

// An object that is always sampled has no variance, but beside it, one sample
// worth a period may have been missed: mean 1100, standard deviation 100.
TEST(ErrorBarsTest, AllowForWhatWasMissedBesideALargeObject) {
  const auto interval = Bars(100).Of(Estimate{.value = 1000});
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->lower, 1000);
  EXPECT_NEAR(interval->upper, 1304.46, 0.01);
}

TEST(ErrorBarsTest, AllowForWhatWasMissedWhereNothingWasSampled) {
  const auto interval = Bars(1000).Of(Estimate());
  ASSERT_TRUE(interval);
  EXPECT_EQ(interval->lower, 0);
  EXPECT_NEAR(interval->upper, 3688.88, 0.01);
  EXPECT_EQ(Bars(1000).Samples(Estimate()), 0);
}

TEST(ErrorBarsTest, CombineBothSidesOfADifference) {
  const Change change = {
      .value = 60, .now = {100, 2500}, .base = Estimate{40, 400}};
  const auto interval = Bars(512).Of(change);
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->lower, 60 - (100 - 27));
  EXPECT_GT(interval->upper, 60 + (256 - 100));
  EXPECT_EQ(Bars(512).Samples(change), 4 + 4);
}

}  // namespace
}  // namespace heapprof
