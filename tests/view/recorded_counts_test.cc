// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/recorded_counts.h"

#include <gtest/gtest.h>

#include "support/scaled_values.h"

namespace heapprof {
namespace {

TEST(RecordedCountsOfTest, InvertsTheScaling) {
  const auto counts = RecordedCountsOf(ScaledValues(3, 3000, 4096), 4096);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->current.objects, 3u);
  EXPECT_EQ(counts->current.bytes, 3000u);
  EXPECT_EQ(counts->accumulated.objects, 0u);
}

TEST(RecordedCountsOfTest, RejectsOtherValues) {
  EXPECT_FALSE(RecordedCountsOf(ScaledValues(3, 3000, 4096), 0));
  EXPECT_FALSE(RecordedCountsOf(ScaledValues(3, 3000, 4096), 1000));
  Values sum = ScaledValues(3, 3000, 4096);
  sum += ScaledValues(2, 16, 4096);
  EXPECT_FALSE(RecordedCountsOf(sum, 4096));
}

}  // namespace
}  // namespace heapprof
