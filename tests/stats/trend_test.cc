// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/trend.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr double kMebibyte = 1048576;
constexpr double kMissed = 524288;

// Values in MiB, one each hour, in objects far smaller than the period.
std::vector<SeriesPoint> Points(const std::vector<double>& values,
                                double missed = kMissed) {
  std::vector<SeriesPoint> points;
  for (const double value : values)
    points.push_back({static_cast<double>(points.size()),
                      {value * kMebibyte, value * kMebibyte * missed},
                      missed});
  return points;
}

TrendLabel LabelOf(const std::vector<double>& values, double missed = kMissed) {
  const std::vector<SeriesPoint> points = Points(values, missed);
  return LabelTrend(points, FitTrend(points), 0.025);
}

TEST(FitSlopeTest, FindsTheSlopeOfAStraightLine) {
  const Slope slope = FitSlope(Points({10, 13, 16, 19, 22, 25}));
  EXPECT_NEAR(slope.value, 3 * kMebibyte, 1);
  const Interval interval = ConfidenceInterval(slope, 0.95);
  EXPECT_LT(interval.lower, slope.value);
  EXPECT_GT(interval.upper, slope.value);
}

TEST(FitSlopeTest, KnowsExactValuesExactly) {
  const Slope slope = FitSlope(Points({10, 13, 16, 19, 22, 25}, 0));
  const Interval interval = ConfidenceInterval(slope, 0.95);
  EXPECT_NEAR(interval.lower, slope.value, 1e-3);
  EXPECT_NEAR(interval.upper, slope.value, 1e-3);
}

TEST(FitSlopeTest, TakesMemoryThatStaysForNoError) {
  const std::vector<double> stays(16, 1000);
  const Interval interval = ConfidenceInterval(FitSlope(Points(stays)), 0.95);
  // Something may have been missed, but the 1000 MiB say nothing about it.
  EXPECT_LT(interval.upper, kMebibyte);
  EXPECT_GT(interval.lower, -kMebibyte);
}

TEST(FitSlopeTest, DoesNotGetSureOfALeakByMoreDumps) {
  const auto width = [](size_t dumps) {
    std::vector<SeriesPoint> points;
    for (size_t i = 0; i < dumps; ++i) {
      const double at =
          10.0 * static_cast<double>(i) / static_cast<double>(dumps - 1);
      points.push_back(
          {at, {at * kMebibyte, at * kMebibyte * kMissed}, kMissed});
    }
    const auto [lower, upper] = ConfidenceInterval(FitSlope(points), 0.95);
    return upper - lower;
  };
  EXPECT_GT(width(400), 0.8 * width(20));
}

TEST(ShortestLifetimeTest, IsLongIfTheValueHardlyJumps) {
  EXPECT_LT(ShortestLifetime(Points({50, 57, 44, 53, 49, 42, 56, 48})), 0.5);
  EXPECT_GT(ShortestLifetime(Points({50, 52, 51, 49, 51, 50, 49, 51})), 4);
  EXPECT_GT(ShortestLifetime(Points({5e4, 5e4 + 2, 5e4 - 1, 5e4, 5e4 + 1})),
            1000);
  EXPECT_EQ(ShortestLifetime({}), 0);
}

TEST(FitSlopeTest, IsSurerOfMemoryThatIsKnownToStay) {
  constexpr double kAlpha = 0.025;
  const auto bound = [](const std::vector<double>& values, double lifetime) {
    return LowerBound(FitSlope(Points(values), lifetime), kAlpha);
  };
  EXPECT_GT(bound({40, 50, 54, 64}, 10), bound({40, 50, 54, 64}, 0));
  // What jumps more than sampling explains does not stay.
  EXPECT_EQ(bound({10, 90, 20, 100}, 10), bound({10, 90, 20, 100}, 0));
}

TEST(FitSlopeTest, KnowsThatLittleOfALargeCacheIsReplaced) {
  // 2 of 10000 MiB are sampled otherwise in each dump. They may go on rising.
  const auto [lower, upper] =
      ConfidenceInterval(FitSlope(Points({10000, 10002, 10003, 10003, 10006,
                                          10007, 10010, 10011, 10013, 10012})),
                         0.95);
  EXPECT_LT(lower, 0);
  EXPECT_GT(upper, 2 * kMebibyte);
}

TEST(FitSlopeTest, DoesNotDependOnWhenTheDumpsWereTaken) {
  std::vector<SeriesPoint> points = Points({10, 90, 20, 80, 40, 100});
  const Slope slope = FitSlope(points);
  for (SeriesPoint& point : points) point.at += 1000;
  const Slope later = FitSlope(points);
  EXPECT_NEAR(later.value / slope.value, 1, 1e-9);
  EXPECT_NEAR(later.variance / slope.variance, 1, 1e-9);
}

TEST(FitSlopeTest, IsZeroForOnePlace) {
  EXPECT_EQ(FitSlope({}).value, 0);
  EXPECT_EQ(FitSlope(Points({7})).value, 0);
  const std::vector<SeriesPoint> same(5, {3, {kMebibyte, 1}});
  EXPECT_EQ(FitSlope(same).value, 0);
}

TEST(FitSlopeTest, UsesTwoPoints) {
  const Slope slope = FitSlope(Points({10, 100}));
  EXPECT_NEAR(slope.value, 90 * kMebibyte, 1);
  EXPECT_GT(LowerBound(slope, 0.025), 60 * kMebibyte);
}

TEST(LabelTrendTest, TellsShapesApart) {
  EXPECT_EQ(LabelOf({10, 20, 30, 40, 50, 60, 70, 80, 90, 100}),
            TrendLabel::kGrowing);
  EXPECT_EQ(LabelOf({100, 90, 80, 70, 60, 50, 40, 30, 20, 10}),
            TrendLabel::kShrinking);
  EXPECT_EQ(LabelOf({10, 40, 60, 75, 80, 82, 82, 82, 82, 82}),
            TrendLabel::kPlateaued);
  EXPECT_EQ(LabelOf({50, 50, 50, 50, 50, 50, 50, 50, 50, 50}),
            TrendLabel::kSteady);
  EXPECT_EQ(LabelOf({50, 55, 46, 52, 49, 51, 47, 53, 50, 48}),
            TrendLabel::kSteady);
  EXPECT_EQ(LabelOf({10, 40, 70, 10, 40, 70, 10, 40, 70, 10}),
            TrendLabel::kSawtooth);
  EXPECT_EQ(LabelOf({10, 10, 10, 90, 10, 10, 10, 10, 10, 10}),
            TrendLabel::kSpike);
  EXPECT_EQ(LabelOf({90, 90, 90, 90, 90, 10, 10, 10, 10, 10}),
            TrendLabel::kDropped);
  EXPECT_EQ(LabelOf({10, 60, 90, 90, 90, 90, 90, 90, 10, 10}),
            TrendLabel::kDropped);
  EXPECT_EQ(LabelOf({90, 90, 90, 90, 90, 60, 60, 60, 60, 60}),
            TrendLabel::kSteady);
  EXPECT_EQ(LabelOf({0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), TrendLabel::kSteady);
}

TEST(LabelTrendTest, KnowsFromAllDumpsHowLongTheMemoryOfTheLastHalfLives) {
  // The last four dumps alone could be of memory that is new in each.
  EXPECT_EQ(LabelOf({8, 11, 15, 18, 22, 24, 28, 30}), TrendLabel::kGrowing);
}

TEST(LabelTrendTest, DoesNotCallGrowthAlongACurveSteady) {
  // A straight line through all dumps fits neither well.
  EXPECT_EQ(LabelOf({10, 10, 10, 10, 10, 10, 10, 10, 10, 10,
                     10, 10, 10, 10, 10, 10, 20, 30, 40, 50}),
            TrendLabel::kUnclear);
  EXPECT_EQ(LabelOf({0,  40, 50, 50, 50, 50, 50, 50, 50, 50,
                     50, 50, 50, 50, 50, 50, 50, 50, 50, 50}),
            TrendLabel::kPlateaued);
}

TEST(LabelTrendTest, TellsExactValuesApart) {
  EXPECT_EQ(LabelOf({10, 20, 30, 40, 50, 60}, 0), TrendLabel::kGrowing);
  EXPECT_EQ(LabelOf({10, 10, 10, 10, 10, 10}, 0), TrendLabel::kSteady);
  EXPECT_EQ(LabelOf({0, 40, 60, 70, 75, 77, 78, 78.5, 78.7, 78.8}, 0),
            TrendLabel::kPlateaued);
}

TEST(LabelTrendTest, GoesOnGrowingUntilItHasSlowedToAQuarter) {
  // Over all dumps, both grow by nearly 6 an hour.
  EXPECT_EQ(LabelOf({0, 10, 20, 30, 40, 42.5, 45, 47.5, 50, 52.5}, 0),
            TrendLabel::kGrowing);
  EXPECT_EQ(LabelOf({0, 10, 20, 30, 40, 41, 42, 43, 44, 45}, 0),
            TrendLabel::kPlateaued);
}

TEST(LabelTrendTest, CallsACachePlateauedThatIsFullInTheLastQuarter) {
  std::vector<double> values;
  for (int i = 0; i < 38; ++i) values.push_back(4.0 * std::min(i + 1, 28));
  EXPECT_EQ(LabelOf(values), TrendLabel::kPlateaued);
  EXPECT_EQ(LabelOf(values, 0), TrendLabel::kPlateaued);
}

TEST(LabelTrendTest, WhatGrowsInStepsGrowsBetweenThem) {
  std::vector<double> values;
  for (int i = 0; i < 40; ++i) values.push_back(10 + 30.0 * (i / 10));
  EXPECT_EQ(LabelOf(values), TrendLabel::kGrowing);
  EXPECT_EQ(LabelOf(values, 0), TrendLabel::kGrowing);
}

TEST(LabelTrendTest, GrowsOnAfterAPauseAsLongAsTheLastOne) {
  EXPECT_EQ(LabelOf({0,   5,   10,  15,  20,  25,  30,  35,  40,  45,
                     100, 100, 100, 100, 100, 160, 160, 160, 160, 160},
                    0),
            TrendLabel::kGrowing);
}

TEST(LabelTrendTest, TakesLessThanHalfTheGrowthForAPlateau) {
  EXPECT_EQ(LabelOf({20, 60, 100, 140, 160, 164, 172, 172, 184, 184}),
            TrendLabel::kPlateaued);
}

TEST(LabelTrendTest, CallsNoLeakAPlateauBecauseOfAFewSamples) {
  // Nine samples of a leak: the last half may well have missed some.
  EXPECT_EQ(LabelOf({0, 0.5, 1, 1.5, 2, 2.5, 3.5, 3.5, 4, 4, 4.5, 4.5}),
            TrendLabel::kUnclear);
  EXPECT_EQ(LabelOf({0, 4, 8, 12, 16, 20, 24, 24, 24, 24, 24, 24}),
            TrendLabel::kPlateaued);
}

TEST(LabelTrendTest, ExpectsLargerMovesOfMoreDumpsByChance) {
  // 16 samples, give or take 9.
  std::vector<double> values;
  for (size_t i = 0; i < 48; ++i)
    values.push_back(3.5 + 9.0 / 47 * static_cast<double>((17 * i + 24) % 48));
  EXPECT_EQ(LabelOf(values), TrendLabel::kSteady);
  EXPECT_EQ(LabelOf(values, 0), TrendLabel::kSawtooth);
}

TEST(LabelTrendTest, CountsAMoveOfHalfTheRange) {
  EXPECT_EQ(LabelOf({100, 50, 100, 0, 100, 50, 100, 50}, 0),
            TrendLabel::kSawtooth);
  EXPECT_NE(LabelOf({100, 51, 100, 0, 100, 51, 100, 51}, 0),
            TrendLabel::kSawtooth);
}

TEST(LabelTrendTest, NeedsTwoFallsForASawtooth) {
  EXPECT_EQ(LabelOf({10, 70, 10, 10, 10, 10, 70, 10, 10, 10}),
            TrendLabel::kSawtooth);
}

TEST(LabelTrendTest, LetsASpikeLastAQuarterOfTheTime) {
  EXPECT_EQ(LabelOf({10, 10, 10, 90, 90, 10, 10, 10, 10, 10}),
            TrendLabel::kSpike);
  EXPECT_EQ(LabelOf({10, 10, 10, 90, 90, 90, 10, 10, 10, 10}),
            TrendLabel::kDropped);
}

TEST(LabelTrendTest, CallsAFallToHalfTheHighestADrop) {
  EXPECT_EQ(LabelOf({90, 90, 90, 90, 90, 44, 44, 44, 44, 44}),
            TrendLabel::kDropped);
  EXPECT_EQ(LabelOf({90, 90, 90, 90, 90, 46, 46, 46, 46, 46}),
            TrendLabel::kSteady);
}

TEST(LabelTrendTest, NeedsEnoughDumps) {
  EXPECT_EQ(LabelOf({10, 40, 70, 100}), TrendLabel::kUnclear);
  EXPECT_EQ(LabelOf({10, 40, 70, 100, 130}), TrendLabel::kGrowing);
  EXPECT_EQ(LabelOf({10}), TrendLabel::kSteady);
  EXPECT_EQ(LabelOf({}), TrendLabel::kSteady);
}

TEST(LabelTrendTest, DoesNotCallASingleStepAtTheEndGrowth) {
  EXPECT_NE(LabelOf({10, 10, 10, 10, 10, 10, 10, 10, 10, 40}),
            TrendLabel::kGrowing);
}

TEST(LabelTrendTest, IsNotMisledByALastDumpMuchLater) {
  // A line goes through it, whatever it says.
  for (const double last : {0.0, 40.0}) {
    std::vector<SeriesPoint> points =
        Points({10, 10, 10, 10, 10, 10, 10, 10, 10, last});
    points.back().at = 100;
    const TrendLabel label = LabelTrend(points, FitTrend(points), 0.025);
    EXPECT_NE(label, TrendLabel::kGrowing);
    EXPECT_NE(label, TrendLabel::kShrinking);
  }
}

TEST(LabelTrendTest, NamesEachLabel) {
  EXPECT_EQ(TrendLabelName(TrendLabel::kGrowing), "growing");
  EXPECT_EQ(TrendLabelName(TrendLabel::kDropped), "dropped");
  EXPECT_EQ(TrendLabelName(TrendLabel::kShrinking), "shrinking");
}

}  // namespace
}  // namespace heapprof
