// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/object_sizes.h"

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

TEST(MeanObjectSizeTest, IsInWholeBytes) {
  EXPECT_EQ(MeanObjectSize(100, 3), 33);
  EXPECT_EQ(MeanObjectSize(100, 1), 100);
  EXPECT_EQ(MeanObjectSize(0, 2), 0);
}

TEST(MeanObjectSizeTest, IsUnknownWithoutAWholeObject) {
  EXPECT_EQ(MeanObjectSize(100, 0), std::nullopt);
  EXPECT_EQ(MeanObjectSize(100, 0.5), std::nullopt);
  EXPECT_EQ(MeanObjectSize(-100, 2), std::nullopt);
}

TEST(KnowsObjectSizesTest, NeedsNumbersOfObjectsAndBytes) {
  Profile profile = ProfileOf("main;f 960\n");
  profile.has_object_counts = true;
  EXPECT_TRUE(KnowsObjectSizes(profile, Metric::kInuseSpace));
  EXPECT_TRUE(KnowsObjectSizes(profile, Metric::kAllocSpace));
  EXPECT_FALSE(KnowsObjectSizes(profile, Metric::kInuseObjects));
  profile.is_comparison = true;
  EXPECT_FALSE(KnowsObjectSizes(profile, Metric::kInuseSpace));
  profile.is_comparison = false;
  profile.has_object_counts = false;
  EXPECT_FALSE(KnowsObjectSizes(profile, Metric::kInuseSpace));
}

TEST(ObjectsOfTest, CountsTheObjectsOfTheSameTime) {
  EXPECT_EQ(ObjectsOf(Metric::kInuseSpace), Metric::kInuseObjects);
  EXPECT_EQ(ObjectsOf(Metric::kAllocSpace), Metric::kAllocObjects);
}

}  // namespace
}  // namespace heapprof
