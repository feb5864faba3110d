// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/sample_rows.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(SampleRowsTest, HaveOneForEachStackAndThread) {
  SampleRows rows;
  EXPECT_EQ(rows.Find({7}, {}), kNoIndex);
  EXPECT_EQ(rows.FindOrAdd({7}, {}, 0), 0u);
  EXPECT_EQ(rows.FindOrAdd({7}, {2}, 1), 1u);
  EXPECT_EQ(rows.FindOrAdd({2}, {7}, 2), 2u);
  EXPECT_EQ(rows.FindOrAdd({3}, {}, 3), 3u);
  EXPECT_EQ(rows.FindOrAdd({7}, {}, 4), 0u);
  EXPECT_EQ(rows.FindOrAdd({7}, {2}, 4), 1u);
  EXPECT_EQ(rows.Find({2}, {7}), 2u);
  EXPECT_EQ(rows.Find({3}, {}), 3u);
  EXPECT_EQ(rows.Find({4}, {}), kNoIndex);
  EXPECT_EQ(rows.Find({3}, {2}), kNoIndex);
}

}  // namespace
}  // namespace heapprof
