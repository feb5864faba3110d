// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/run_variation.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "stats/sampled_stacks.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

constexpr double kVariationPeriod = 65536;
constexpr double kVariationMebibyte = 1048576;
constexpr size_t kVariationRuns = 3;
constexpr double kVariationAlpha = 0.05;

using Random = std::mt19937_64;
using ListOfRuns = std::vector<std::vector<Estimate>>;

// The runs of one side, each divided by their number.
std::vector<Estimate> TermsOf(const std::vector<Estimate>& values) {
  std::vector<Estimate> runs = values;
  const auto count = static_cast<double>(runs.size());
  for (Estimate& run : runs) {
    run.value /= count;
    run.variance /= count * count;
  }
  return runs;
}

Growth GrowthOfTerms(const RunEstimates& entry, double dispersion) {
  Growth growth;
  for (const Side side : kSides) {
    MeasuredSide& to = growth[side];
    for (const Estimate& run : entry[side]) to.mean += run;
    const auto count = static_cast<double>(entry[side].size());
    to.mean.variance *= dispersion;
    to.missed = kVariationPeriod / count * dispersion;
  }
  return growth;
}

TEST(OverDispersionTest, IsTheRatioOfTheVariancesWidenedForFewRuns) {
  // The runs have the variance 1600 and state 100.
  const std::vector<Estimate> runs = {{60, 90}, {100, 100}, {140, 110}};
  // (t/z)^2 at 0.95, with 2 and 4 degrees of freedom, computed with scipy.
  EXPECT_NEAR(OverDispersion(ListOfRuns{runs}), 16 * 3.1514244491537386, 1e-6);
  EXPECT_NEAR(OverDispersion(ListOfRuns{runs, runs}), 16 * 1.6797995582789205,
              1e-6);
}

TEST(OverDispersionTest, IsNotWidenedIfManyRunsWereMeasured) {
  const ListOfRuns many(1000, {{60, 100}, {100, 100}, {140, 100}});
  EXPECT_NEAR(OverDispersion(many), 16, 0.02);
}

TEST(OverDispersionTest, IsAtLeastOne) {
  EXPECT_EQ(OverDispersion(ListOfRuns{{{99, 100}, {100, 100}, {101, 100}}}), 1);
}

TEST(OverDispersionTest, IgnoresSidesThatCannotTell) {
  EXPECT_EQ(OverDispersion({}), 1);
  EXPECT_EQ(OverDispersion(ListOfRuns{{}, {{5, 1}}, {{5, 1}, {500, 1}}}), 1);
  // Exact runs, and runs that all lack the entry.
  EXPECT_EQ(OverDispersion(
                ListOfRuns{{{5, 0}, {6, 0}, {7, 0}}, {{0, 0}, {0, 0}, {0, 0}}}),
            1);
}

TEST(RunVariationTest, PoolsEntriesThatVaryAlike) {
  const std::vector<Estimate> runs = {{8, 2}, {10, 2}, {12, 2}};
  const std::vector<RunEstimates> entries(100, {runs, runs});
  EXPECT_NEAR(CommonDispersion(entries), 2, 0.02);
}

TEST(RunVariationTest, AddsEntriesThatTheOthersExplain) {
  const std::vector<Estimate> twice = {{8, 2}, {10, 2}, {12, 2}};
  const std::vector<Estimate> four_times = {{8, 1}, {10, 1}, {12, 1}};
  std::vector<RunEstimates> entries(10, {four_times, four_times});
  EXPECT_EQ(CommonDispersion(entries), 1);
  entries.resize(110, {twice, twice});
  EXPECT_NEAR(CommonDispersion(entries), (100 * 2 + 10 * 4) / 110.0, 0.02);
}

TEST(RunVariationTest, LeavesOutEntriesThatVaryForAReasonOfTheirOwn) {
  const std::vector<Estimate> alike = {{8, 4}, {10, 4}, {12, 4}};
  const std::vector<Estimate> doubled = {{10, 0.01}, {20, 0.01}, {10, 0.01}};
  std::vector<RunEstimates> entries(100, {alike, alike});
  entries.push_back({doubled, doubled});
  EXPECT_NEAR(CommonDispersion(entries), 1, 0.05);
}

TEST(RunVariationTest, NeedsThreeRuns) {
  const std::vector<Estimate> doubled = {{10, 0.01}, {20, 0.01}};
  const RunEstimates entry = {doubled, doubled};
  EXPECT_EQ(CommonDispersion(std::array{entry}), 1);
  Growth growth = {.now = {{30, 1}, 1}, .base = {{30, 1}, 1}};
  WidenByOwnRuns(entry, 1, growth);
  EXPECT_EQ(growth.now.mean.variance, 1);
}

TEST(RunVariationTest, WidensAnEntryByItsOwnRuns) {
  const std::vector<Estimate> same = TermsOf({{10, 0}, {10, 0}, {10, 0}});
  const std::vector<Estimate> doubled = TermsOf({{20, 0}, {10, 0}, {20, 0}});
  Growth growth = GrowthOfTerms({doubled, same}, 1);
  WidenByOwnRuns({doubled, same}, 1, growth);
  // The deviations of four degrees of freedom, and Student's t for them.
  const double variance = (200.0 / 3) / 4 * 1.68;
  EXPECT_NEAR(growth.now.mean.variance, variance / 3, 0.01 * variance);
  EXPECT_EQ(growth.base.mean.variance, growth.now.mean.variance);
  EXPECT_EQ(growth.now.missed, kVariationPeriod / 3);
}

TEST(RunVariationTest, DoesNotWidenWhatHasNoErrors) {
  const std::vector<Estimate> doubled = {{20, 0}, {10, 0}, {20, 0}};
  Growth growth = {.now = {{50, 0}, 0}, .base = {{0, 0}, 1}};
  WidenByOwnRuns({doubled, {{}, {}, {}}}, 1, growth);
  EXPECT_EQ(growth.now.mean.variance, 0);
  EXPECT_EQ(growth.base.mean.variance, 0);
}

// A program with 20 functions that allocate small objects, 10 whose buffer has
// 1 or 2 MiB by chance, and one that leaks `leak` bytes.
std::vector<std::vector<Estimate>> TermsOfSide(double leak, Random& random) {
  std::bernoulli_distribution doubles(0.3);
  std::vector<std::vector<Estimate>> functions(31);
  for (size_t run = 0; run < kVariationRuns; ++run) {
    size_t i = 0;
    for (; i < 20; ++i)
      functions[i].push_back(
          SampledBytes(Stack{{256, 4096}}, kVariationPeriod, random));
    for (; i < 30; ++i)
      functions[i].push_back(SampledBytes(
          Stack{{(doubles(random) ? 2 : 1) * kVariationMebibyte, 1}},
          kVariationPeriod, random));
    const int count = static_cast<int>(std::round(leak / 256));
    functions[i].push_back(
        SampledBytes(Stack{{256, count}}, kVariationPeriod, random));
  }
  for (std::vector<Estimate>& runs : functions) runs = TermsOf(runs);
  return functions;
}

std::vector<bool> FoundAmongVarying(double leak, Random& random) {
  const auto now = TermsOfSide(leak, random);
  const auto base = TermsOfSide(0, random);
  std::vector<RunEstimates> entries;
  for (size_t i = 0; i < now.size(); ++i) entries.push_back({now[i], base[i]});
  const double dispersion = CommonDispersion(entries);
  std::vector<GrowthTest> tests;
  for (const RunEstimates& entry : entries) {
    tests.push_back({GrowthOfTerms(entry, dispersion),
                     {.ratio = 1.1, .bytes = kVariationMebibyte / 4}});
    WidenByOwnRuns(entry, dispersion, tests.back().growth);
  }
  return FindGrowth(tests, kVariationAlpha);
}

TEST(RunVariationTest, FindsALeakAmongFunctionsThatVary) {
  Random random(7);
  const double found = PercentOf(Scaled(200, 5000), [&]() -> bool {
    return FoundAmongVarying(1.5 * kVariationMebibyte, random).back();
  });
  EXPECT_GE(found, 90);
}

}  // namespace
}  // namespace heapprof
