// SPDX-License-Identifier: Apache-2.0
#include "parse/pprof_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/pprof_testing.h"

namespace heapprof {
namespace {

TEST(PprofIdsTest, FindsRowsOfIdsInAndOutOfOrder) {
  PprofIds ids;
  EXPECT_TRUE(ids.Add(1, 10));
  EXPECT_TRUE(ids.Add(2, 20));
  EXPECT_TRUE(ids.Add(UINT64_MAX, 30));
  EXPECT_TRUE(ids.Add(4, 40));
  EXPECT_TRUE(ids.Add(3, 50));
  EXPECT_EQ(ids.Find(1), 10u);
  EXPECT_EQ(ids.Find(2), 20u);
  EXPECT_EQ(ids.Find(UINT64_MAX), 30u);
  EXPECT_EQ(ids.Find(4), 40u);
  EXPECT_EQ(ids.Find(3), 50u);
  EXPECT_EQ(ids.Find(5), std::nullopt);
}

TEST(PprofIdsTest, KeepsTheFirstRowOfAnId) {
  PprofIds ids;
  EXPECT_TRUE(ids.Add(1, 10));
  EXPECT_TRUE(ids.Add(7, 70));
  EXPECT_FALSE(ids.Add(1, 11));
  EXPECT_FALSE(ids.Add(7, 71));
  EXPECT_EQ(ids.Find(1), 10u);
  EXPECT_EQ(ids.Find(7), 70u);
}

TEST(CountFieldsTest, CountsMessagesUpToDamage) {
  const std::string whole = ServiceProfile().Bytes();
  const PprofCounts counts = CountFields(whole);
  EXPECT_EQ(counts.problem, "");
  EXPECT_EQ(counts.samples, 2u);
  EXPECT_EQ(counts.mappings, 2u);
  EXPECT_GT(counts.locations, 0u);
  EXPECT_GT(counts.strings, 0u);
  const PprofCounts cut = CountFields(whole.substr(0, whole.size() - 1));
  EXPECT_NE(cut.problem, "");
}

}  // namespace
}  // namespace heapprof
