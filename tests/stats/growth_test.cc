// SPDX-License-Identifier: Apache-2.0
//
// Cases that can be checked by hand; compare_growth.py compares random ones
// with scipy.
#include "heapprof/stats/growth.h"

#include <cmath>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// The 95 % interval of Poisson counts, from the tables of interval_test.cc.
constexpr double kOneSidedAlpha = 0.025;
constexpr double kBelowHundred = 100 - 8.136399125092e+01;
constexpr double kAboveHundred = 1.216267937924e+02 - 100;
constexpr double kBelowFive = 5 - 1.623486390118;
constexpr double kAboveFive = 1.166833207932e+01 - 5;

// One sample of each stands for one byte.
constexpr MeasuredSide kHundred = {{100, 100}, 1};
constexpr MeasuredSide kFive = {{5, 5}, 1};
constexpr MeasuredSide kAbsent = {{0, 0}, 1};

MeasuredSide Exact(double value) { return {{value, 0}, 0}; }

TEST(GrowthBoundTest, CombinesTheBoundsOfBothSides) {
  EXPECT_NEAR(LowerGrowthBound({kHundred, kFive}, 1, kOneSidedAlpha),
              95 - std::hypot(kBelowHundred, kAboveFive), 1e-9);
  EXPECT_NEAR(UpperGrowthBound({kHundred, kFive}, 1, kOneSidedAlpha),
              95 + std::hypot(kAboveHundred, kBelowFive), 1e-9);
}

TEST(GrowthBoundTest, MultipliesTheBaseByTheRatio) {
  EXPECT_NEAR(LowerGrowthBound({kHundred, kFive}, 3, kOneSidedAlpha),
              85 - std::hypot(kBelowHundred, 3 * kAboveFive), 1e-9);
  EXPECT_NEAR(UpperGrowthBound({kHundred, kFive}, 3, kOneSidedAlpha),
              85 + std::hypot(kAboveHundred, 3 * kBelowFive), 1e-9);
  EXPECT_NEAR(LowerGrowthBound({kHundred, kFive}, 0, kOneSidedAlpha),
              100 - kBelowHundred, 1e-9);
}

TEST(GrowthBoundTest, AllowsForWhatTheSamplesOfAnAbsentSideMissed) {
  const MeasuredSide absent = {{0, 0}, 10};
  const double missed = -10 * std::log(kOneSidedAlpha);
  EXPECT_NEAR(LowerGrowthBound({kHundred, absent}, 1, kOneSidedAlpha),
              100 - std::hypot(kBelowHundred, missed), 1e-9);
  EXPECT_NEAR(UpperGrowthBound({absent, kHundred}, 1, kOneSidedAlpha),
              -100 + std::hypot(missed, kBelowHundred), 1e-9);
  EXPECT_EQ(LowerGrowthBound({absent, Exact(0)}, 1, kOneSidedAlpha), 0);
}

TEST(GrowthBoundTest, HasNoErrorIfEveryAllocationWasCounted) {
  EXPECT_EQ(LowerGrowthBound({Exact(105), Exact(100)}, 1, kOneSidedAlpha), 5);
  EXPECT_EQ(UpperGrowthBound({Exact(105), Exact(100)}, 1, kOneSidedAlpha), 5);
  EXPECT_EQ(LowerGrowthBound({Exact(105), Exact(0)}, 1, kOneSidedAlpha), 105);
  EXPECT_NEAR(LowerGrowthBound({kHundred, Exact(50)}, 1, kOneSidedAlpha),
              50 - kBelowHundred, 1e-9);
}

TEST(GrowthBoundTest, MirrorsSidesThatAreNegative) {
  const MeasuredSide negative = {{-5, 5}, 1};
  EXPECT_NEAR(LowerGrowthBound({negative, Exact(0)}, 1, kOneSidedAlpha),
              -5 - kAboveFive, 1e-9);
  EXPECT_NEAR(UpperGrowthBound({negative, Exact(0)}, 1, kOneSidedAlpha),
              -5 + kBelowFive, 1e-9);
}

TEST(GrowthBoundTest, WidensAsAlphaFalls) {
  const Growth growth = {kHundred, kFive};
  double lower = LowerGrowthBound(growth, 1, 0.49);
  double upper = UpperGrowthBound(growth, 1, 0.49);
  for (double alpha = 0.3; alpha > 1e-12; alpha /= 3) {
    EXPECT_LT(LowerGrowthBound(growth, 1, alpha), lower) << alpha;
    EXPECT_GT(UpperGrowthBound(growth, 1, alpha), upper) << alpha;
    lower = LowerGrowthBound(growth, 1, alpha);
    upper = UpperGrowthBound(growth, 1, alpha);
  }
}

TEST(GrowthBoundTest, SurroundsTheDifferenceForAnyValues) {
  std::vector<MeasuredSide> sides;
  for (const double value : {0.0, 1e-9, 1e6, 1e38, -1e19})
    for (const double variance : {0.0, 1e-9, 1e12, 1e76})
      for (const double missed : {0.0, 4.6e18})
        sides.push_back({{value, variance}, missed});
  for (const MeasuredSide& now : sides)
    for (const MeasuredSide& base : sides) {
      const double difference = now.mean.value - 1.05 * base.mean.value;
      const double lower = LowerGrowthBound({now, base}, 1.05, 0.05 / 300);
      const double upper = UpperGrowthBound({now, base}, 1.05, 0.05 / 300);
      ASSERT_TRUE(std::isfinite(lower) && std::isfinite(upper))
          << now.mean.value << ' ' << now.mean.variance << ' '
          << base.mean.value << ' ' << base.mean.variance;
      EXPECT_LE(lower, difference);
      EXPECT_GE(upper, difference);
    }
}

// The lower bounds of this growth are 81.4 at 0.025 and 84.1 at 0.05.
constexpr GrowthTest kAlmostProven = {{kHundred, {}}, {1, 82.5}};
constexpr GrowthTest kProven = {{kHundred, {}}, {1, 10}};
constexpr GrowthTest kUnchanged = {{kHundred, kHundred}, {1, 0}};

TEST(FindGrowthTest, IsStricterWithEachEntryThatMayHaveGrown) {
  const GrowthTest one[] = {kAlmostProven};
  EXPECT_EQ(FindGrowth(one, 0.05), std::vector<bool>{true});
  EXPECT_EQ(FindGrowth(one, 0.025), std::vector<bool>{false});
  const GrowthTest two[] = {kUnchanged, kAlmostProven};
  EXPECT_EQ(FindGrowth(two, 0.05), (std::vector<bool>{false, false}));
}

TEST(FindGrowthTest, LeavesFoundEntriesOutOfTheCorrection) {
  const GrowthTest tests[] = {kAlmostProven, kProven};
  EXPECT_EQ(FindGrowth(tests, 0.05), (std::vector<bool>{true, true}));
}

// kHundred has been sampled, so its lower bound at 0.025 is above 0.
constexpr Growth kCame = {kHundred, {}}, kWent = {{}, kHundred};

TEST(FindChangesTest, FindsBothDirections) {
  const Growth growths[] = {kCame, {kHundred, kHundred}, kWent};
  EXPECT_EQ(FindChanges(growths, 0.05).changed,
            (std::vector<bool>{true, false, true}));
  EXPECT_TRUE(FindChanges({}, 0.05).changed.empty());
}

TEST(FindChangesTest, IsStricterWithEachEntryThatMayHaveChanged) {
  // 40 samples instead of 20.
  const Growth grown = {{.mean = {40, 40}, .missed = 1},
                        {.mean = {20, 20}, .missed = 1}};
  const auto is_found = [&](size_t others, const Growth& other) -> bool {
    std::vector<Growth> growths(others, other);
    growths.push_back(grown);
    return FindChanges(growths, 0.05).changed.back();
  };
  const Growth unchanged = {{.mean = {30, 30}, .missed = 1},
                            {.mean = {30, 30}, .missed = 1}};
  EXPECT_TRUE(is_found(0, unchanged));
  EXPECT_FALSE(is_found(100, unchanged));
  // Two samples prove nothing, whichever side they are on.
  const Growth small = {{.mean = {1, 1}, .missed = 1},
                        {.mean = {1, 1}, .missed = 1}};
  EXPECT_TRUE(is_found(100, small));
}

TEST(FindChangesTest, SharesTheLevelAmongEntriesThatMayHaveChanged) {
  const Growth unchanged = {{.mean = {30, 30}, .missed = 1},
                            {.mean = {30, 30}, .missed = 1}};
  const Growth small = {{.mean = {1, 1}, .missed = 1},
                        {.mean = {1, 1}, .missed = 1}};
  const auto level_of = [](const std::vector<Growth>& growths) {
    return FindChanges(growths, 0.05).level;
  };
  EXPECT_EQ(level_of({}), 0.025);
  EXPECT_EQ(level_of({unchanged, small}), 0.025);
  EXPECT_EQ(level_of(std::vector(10, unchanged)), 0.0025);
  // One in twenty of what is found may be wrong: more is found among more.
  EXPECT_EQ(level_of({unchanged, unchanged, kCame, kWent}), 0.0125);
}

TEST(FindGrowthTest, FindsNothingAmongNoTests) {
  EXPECT_TRUE(FindGrowth({}, 0.05).empty());
}

TEST(FindGrowthTest, TakesRoundingForNoGrowth) {
  // 1.05 * 100 is less than 105 in doubles, and 1.1 * 1e15 is less than 1.1e15.
  for (const auto& [now, base, ratio] :
       {std::tuple{105.0, 100.0, 1.05}, {1.1e15, 1e15, 1.1}, {0.0, 0.0, 1.0}}) {
    const GrowthTest at_limit[] = {{{Exact(now), Exact(base)}, {ratio, 0}}};
    EXPECT_EQ(FindGrowth(at_limit, 0.05), std::vector<bool>{false}) << now;
    const GrowthTest beyond[] = {
        {{Exact(now * 1.001 + 1), Exact(base)}, {ratio, 0}}};
    EXPECT_EQ(FindGrowth(beyond, 0.05), std::vector<bool>{true}) << now;
  }
}

TEST(MeasuredSideTest, AddsUpWhatEntriesHold) {
  MeasuredSide sum = {{10, 2}, 4, 3, 8};
  sum += {{5, 1}, 6, 4, 5};
  EXPECT_EQ(sum.mean.value, 15);
  EXPECT_EQ(sum.mean.variance, 3);
  EXPECT_EQ(sum.missed, 6);
  EXPECT_EQ(sum.between_runs, 7);
  EXPECT_EQ(sum.degrees, 5);
}

constexpr MeasuredSide kTotal = {{119e6, 119e6 * 524288}, 524288};

TEST(DetectableGrowthTest, IsFoundAndAPercentLessIsNot) {
  // With a power of one half, growth is found if it is as large as expected.
  for (const MeasuredSide& base : {kTotal, kAbsent, kFive})
    for (const double bytes : {0.0, 1048576.0}) {
      const GrowthLimit limit = {1.05, bytes};
      const double growth = DetectableGrowth({base, base}, limit, 0.05, 0.5);
      const auto finds = [&](double tried) -> bool {
        const double added = bytes + tried;
        const auto& [value, variance] = base.mean;
        const MeasuredSide now = {
            {1.05 * value + added, 1.05 * variance + base.missed * added},
            base.missed};
        const GrowthTest tests[] = {{{now, base}, limit}};
        return FindGrowth(tests, 0.05).front();
      };
      EXPECT_TRUE(finds(growth)) << growth;
      EXPECT_FALSE(finds(growth * 0.99)) << growth;
    }
}

TEST(DetectableGrowthTest, GrowsWithThePowerAndTheStrictness) {
  const double plain = DetectableGrowth({kTotal, kTotal}, {}, 0.05, 0.9);
  EXPECT_GT(plain, DetectableGrowth({kTotal, kTotal}, {}, 0.05, 0.5));
  EXPECT_LT(plain, DetectableGrowth({kTotal, kTotal}, {}, 0.05 / 300, 0.9));
}

TEST(DetectableGrowthTest, FallsWithTheNumberOfRuns) {
  const MeasuredSide mean = {{kTotal.mean.value, kTotal.mean.variance / 4},
                             kTotal.missed / 4};
  EXPECT_LT(DetectableGrowth({mean, mean}, {}, 0.05, 0.9),
            0.6 * DetectableGrowth({kTotal, kTotal}, {}, 0.05, 0.9));
}

TEST(DetectableGrowthTest, DependsOnHowBothSidesAreMeasured) {
  const MeasuredSide fine = {{kTotal.mean.value, kTotal.mean.variance / 8},
                             kTotal.missed / 8};
  const auto detectable = [](const MeasuredSide& now,
                             const MeasuredSide& base) {
    return DetectableGrowth({now, base}, {}, 0.05, 0.9);
  };
  const double coarse = detectable(kTotal, kTotal);
  for (const double mixed :
       {detectable(kTotal, fine), detectable(fine, kTotal)}) {
    EXPECT_GT(mixed, 1.5 * detectable(fine, fine));
    EXPECT_LT(mixed, coarse);
    EXPECT_GT(mixed, 0.6 * coarse);
  }
  // How much there is now does not tell how well the base is measured.
  const MeasuredSide grown = {{2 * kTotal.mean.value, 8 * kTotal.mean.variance},
                              kTotal.missed};
  EXPECT_EQ(detectable(grown, kTotal), coarse);
  // Of something new, both sides may have missed samples.
  const MeasuredSide absent = {{0, 0}, kTotal.missed};
  const MeasuredSide absent_fine = {{0, 0}, kTotal.missed / 8};
  EXPECT_GT(detectable(absent, absent_fine),
            3 * detectable(absent_fine, absent_fine));
  EXPECT_LT(detectable(absent, absent_fine), detectable(absent, absent));
}

TEST(DetectableGrowthTest, IsZeroIfEveryAllocationWasCounted) {
  EXPECT_EQ(DetectableGrowth({Exact(1e9), Exact(1e9)}, {1.05, 0}, 0.05, 0.9),
            0);
}

TEST(DetectableGrowthTest, IsFiniteForAnyBase) {
  for (const double value : {0.0, 1.0, 1e19, 1e38, -1e19})
    for (const double variance : {0.0, 1.0, 1e38, 1e76})
      for (const double missed : {0.0, 1.0, 4.6e18}) {
        const MeasuredSide side = {{value, variance}, missed};
        for (const Growth& sides :
             {Growth{side, side}, {side, kTotal}, {kTotal, side}}) {
          const double growth = DetectableGrowth(sides, {1.05, 0}, 1e-4, 0.9);
          EXPECT_TRUE(std::isfinite(growth) && growth >= 0)
              << value << ' ' << variance << ' ' << missed;
        }
      }
}

}  // namespace
}  // namespace heapprof
