// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/whole_values.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> WholeOf(const std::vector<double>& values) {
  WholeValues whole;
  std::vector<int64_t> result;
  for (const double value : values) result.push_back(whole.Next(value));
  return result;
}

TEST(WholeValueTest, CutsTheFractionButNotTheErrorOfASum) {
  EXPECT_EQ(WholeValue(543.9), 543);
  EXPECT_EQ(WholeValue(543.9999), 543);
  EXPECT_EQ(WholeValue(543.99999999), 544);
  EXPECT_EQ(WholeValue(-543.99999999), -544);
  EXPECT_EQ(WholeValue(-543.9), -543);
  EXPECT_EQ(WholeValue(0.1 + 0.7 + 0.2), 1);  // 0.9999999999999999
  EXPECT_EQ(WholeValue(1e13 + 0.75), 1e13);
  EXPECT_EQ(WholeValue(1e13 + 0.9375), 1e13 + 1);
  EXPECT_EQ(WholeValue(1e15 + 0.5), 1e15);
  EXPECT_EQ(WholeValue(1e300), 1e300);
  EXPECT_FALSE(std::signbit(WholeValue(-0.3)));
}

TEST(WholeValuesTest, GiveTheFractionOfOneToTheNext) {
  EXPECT_THAT(WholeOf({0.5, 0.25, 0.25, 7.5, 0.5}), ElementsAre(0, 0, 1, 7, 1));
}

TEST(WholeValuesTest, KeepIncreasesAndDecreasesApart) {
  EXPECT_THAT(WholeOf({0.6, -0.6, 0.6, -0.6}), ElementsAre(0, 0, 1, -1));
}

TEST(WholeValuesTest, AddUpToTheWholeOfTheSum) {
  WholeValues whole;
  double sum = 0;
  int64_t sum_of_whole = 0;
  for (int i = 1; i <= 100000; ++i) {
    const double value = 1e6 * std::exp(-i % 30) / 7;
    sum += value;
    sum_of_whole += whole.Next(value);
  }
  EXPECT_EQ(static_cast<double>(sum_of_whole), WholeValue(sum));
}

TEST(WholeValuesTest, StayBelowTheLargestInteger) {
  WholeValues whole;
  int64_t sum = 0;
  for (const double value : {8e18, 8e18, 1e300, 3.0}) sum += whole.Next(value);
  EXPECT_GT(sum, 9'199'999'999'999'000'000);
  EXPECT_LE(sum, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(whole.Next(5), 0);
}

TEST(RoundSidesTest, GivesEqualIntegersToUnchangedRows) {
  const std::vector<Sides<double>> rows = {
      {5.8, 1.2}, {1.4, 1.4}, {0, 0.5}, {2.7, 2.7 + 1e-12}, {0.1, 0}};
  std::vector<Sides<int64_t>> rounded(rows.size());
  RoundSides(
      rows.size(), [&](size_t row) { return rows[row]; },
      [&](size_t row, const Sides<int64_t>& to) { rounded[row] = to; });
  using Row = Sides<int64_t>;
  // The sums are those of the exact values: 10.0 and 5.8.
  EXPECT_THAT(rounded, ElementsAre(Row{5, 1}, Row{1, 1}, Row{0, 0}, Row{3, 3},
                                   Row{1, 0}));
}

}  // namespace
}  // namespace heapprof
