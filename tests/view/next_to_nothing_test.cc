// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/next_to_nothing.h"

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

// One stack with so many bytes in so many objects; 0: the number is unknown.
Profile Held(double bytes, double objects, uint64_t period = 1000) {
  Profile profile = ProfileOf("main;f 1\n");
  Values& values = profile.samples[0].values;
  values[Metric::kInuseSpace].value = bytes;
  values[Metric::kInuseObjects].value = objects;
  profile.sampling_period = period;
  return profile;
}

bool IsNothing(const Profile& profile) {
  return HoldsNextToNothing(profile, Metric::kInuseSpace);
}

TEST(HoldsNextToNothingTest, TenSamplesAreSomething) {
  EXPECT_TRUE(IsNothing(Held(9400, 0)));
  EXPECT_FALSE(IsNothing(Held(9600, 0)));
  EXPECT_NEAR(SampleCount(Held(9600, 0), Metric::kInuseSpace), 9.6, 1e-9);
}

TEST(HoldsNextToNothingTest, SixteenPeriodsAreSomethingInAnyNumberOfObjects) {
  EXPECT_TRUE(IsNothing(Held(15'999, 1)));
  EXPECT_FALSE(IsNothing(Held(16'000, 1)));
}

TEST(HoldsNextToNothingTest, CountsTheBytesOfObjects) {
  EXPECT_TRUE(HoldsNextToNothing(Held(15'999, 1), Metric::kInuseObjects));
  EXPECT_FALSE(HoldsNextToNothing(Held(16'000, 1), Metric::kInuseObjects));
}

TEST(RateForSmallTest, IsFinerThanTheRateOfTheDump) {
  EXPECT_EQ(RateForSmall(Held(1000, 1, 512 << 10)), "--rate 16KiB");
  EXPECT_EQ(RateForSmall(Held(1000, 1, 16 << 10)), "");
  EXPECT_EQ(RateForSmall(Held(0, 0, 512 << 10)), "");
}

TEST(HoldsNextToNothingTest, IsUnknownWithoutSampling) {
  EXPECT_FALSE(IsNothing(Held(5, 1, 0)));
  EXPECT_FALSE(IsNothing(Held(5, 1, 1)));
}

}  // namespace
}  // namespace heapprof
