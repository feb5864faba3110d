// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/run_variation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "stats/sampled_stacks.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

constexpr double kVariationPeriod = 65536;
constexpr double kVariationMebibyte = 1048576;
constexpr double kVariationAlpha = 0.05;
constexpr double kAlike = std::numeric_limits<double>::infinity();

using Random = std::mt19937_64;

// The runs of one side, each divided by their number.
std::vector<Estimate> TermsOf(std::vector<Estimate> runs) {
  const auto count = static_cast<double>(runs.size());
  for (Estimate& run : runs) {
    run.value /= count;
    run.variance /= count * count;
  }
  return runs;
}

Growth GrowthOfTerms(const RunEstimates& entry, const RunVariation& variation) {
  Growth growth;
  for (const Side side : kSides) {
    MeasuredSide& to = growth[side];
    for (const Estimate& run : entry[side]) to.mean += run;
    to.missed = kVariationPeriod / static_cast<double>(entry[side].size());
    AddVariation(variation, entry[side].size(), to);
  }
  return growth;
}

// The variance of these runs is 1600, that of their sampling errors 100.
const std::vector<Estimate> kVarying =
    TermsOf({{60, 90}, {100, 100}, {140, 110}});

TEST(VariationOfTest, IsTheRatioOfTheVariances) {
  const RunVariation of_one = VariationOf({kVarying, TermsOf({{5, 1}})});
  EXPECT_NEAR(of_one.sampling, 16, 1e-9);
  EXPECT_EQ(of_one.relative, 0);
  EXPECT_EQ(of_one.degrees, 2);
  const RunVariation of_both = VariationOf({kVarying, kVarying});
  EXPECT_NEAR(of_both.sampling, 16, 1e-9);
  EXPECT_EQ(of_both.degrees, 4);
}

// The mean is 60, and the variance 100.
const std::vector<Estimate> kExactRuns = TermsOf({{50, 0}, {60, 0}, {70, 0}});

TEST(VariationOfTest, IsRelativeToTheValueWithoutSamplingErrors) {
  const RunVariation variation = VariationOf({kExactRuns, kExactRuns});
  EXPECT_EQ(variation.sampling, 1);
  EXPECT_NEAR(variation.relative, 1.0 / 36, 1e-9);
  EXPECT_EQ(variation.degrees, 4);
}

TEST(VariationOfTest, IgnoresSidesThatCannotTell) {
  // Two runs, and runs that all lack the entry.
  for (const std::vector<Estimate>& runs :
       {TermsOf({{5, 1}, {500, 1}}), std::vector<Estimate>(3)}) {
    const RunVariation variation = VariationOf({runs, {}});
    EXPECT_EQ(variation.sampling, 1);
    EXPECT_EQ(variation.degrees, kAlike);
  }
}

TEST(AddVariationTest, AddsUpBothKinds) {
  MeasuredSide side = {.mean = {100, 5}, .missed = 10};
  AddVariation(
      {.sampling = 3, .relative = 0.04, .prior_degrees = 8, .degrees = 50}, 4,
      side);
  EXPECT_EQ(side.mean.variance, 5);
  EXPECT_NEAR(side.between_runs, 3 * 5 + 0.04 * 1e4 / 4, 1e-9);
  EXPECT_EQ(side.missed, 30);
  EXPECT_EQ(side.degrees, 8);
}

TEST(ModerateByOwnRunsTest, IsBetweenTheOthersAndTheEntryItself) {
  // Others have runs with the variance 100 + 100.
  const RunVariation variation = {
      .relative = 0.01, .prior_degrees = 6, .degrees = 50};
  Growth growth = GrowthOfTerms({kVarying, kVarying}, variation);
  EXPECT_NEAR(growth.now.between_runs, 200.0 / 3, 1e-9);
  ModerateByOwnRuns({kVarying, kVarying}, variation, growth);
  const double moderated = (6 * 200 + 4 * 1600) / 10.0;
  for (const Side side : kSides) {
    EXPECT_NEAR(growth[side].between_runs, moderated / 3, 1e-9);
    EXPECT_EQ(growth[side].degrees, 10);
    EXPECT_NEAR(growth[side].missed, kVariationPeriod / 3, 1e-9);
  }
}

TEST(ModerateByOwnRunsTest, KnowsNoMoreThanAllRunsTogether) {
  const RunVariation variation = {.degrees = 7};
  Growth growth = GrowthOfTerms({kVarying, kVarying}, variation);
  ModerateByOwnRuns({kVarying, kVarying}, variation, growth);
  EXPECT_NEAR(growth.now.between_runs, 100.0 / 3, 1e-9);
  EXPECT_EQ(growth.now.degrees, 7);
}

TEST(ModerateByOwnRunsTest, LeavesWhatCannotVaryAlone) {
  const RunVariation variation = {.prior_degrees = 6, .degrees = 50};
  const std::vector<Estimate> two = TermsOf({{10, 1}, {20, 1}});
  Growth of_two = {.now = {{15, 1}, 1}, .base = {{15, 1}, 1}};
  ModerateByOwnRuns({two, two}, variation, of_two);
  EXPECT_EQ(of_two.now.between_runs, 0);
  // Without errors, and without the entry.
  Growth growth = {.now = {{50, 0}, 0}, .base = {{0, 0}, 1}};
  growth.base.degrees = 6;
  ModerateByOwnRuns({kVarying, std::vector<Estimate>(3)}, variation, growth);
  EXPECT_EQ(growth.now.between_runs, 0);
  EXPECT_EQ(growth.base.between_runs, 0);
}

// Exact runs of an entry, `now` and in the base, with the variation of others.
Growth ModeratedExact(const RunEstimates& runs) {
  const RunVariation variation = {
      .relative = 0.01, .prior_degrees = 6, .degrees = 50};
  Growth growth;
  for (const Side side : kSides) {
    for (const Estimate& run : runs[side]) growth[side].mean += run;
    AddVariation(variation, runs[side].size(), growth[side]);
  }
  ModerateByOwnRuns(runs, variation, growth);
  return growth;
}

TEST(ModerateByOwnRunsTest, AppliesToRunsWithoutSamplingErrors) {
  const Growth growth = ModeratedExact({kExactRuns, kExactRuns});
  EXPECT_NEAR(growth.now.between_runs, (6 * 36 + 4 * 100) / 10.0 / 3, 1e-9);
  EXPECT_EQ(growth.now.degrees, 10);
  EXPECT_EQ(growth.now.missed, 0);
}

TEST(ModerateByOwnRunsTest, AllowsForAnAbsenceThatMayBeChance) {
  const std::vector<Estimate> absent(3);
  const std::vector<Estimate> sometimes = TermsOf({{0, 0}, {60, 0}, {0, 0}});
  EXPECT_NEAR(ModeratedExact({sometimes, absent}).base.missed, 20, 1e-9);
  EXPECT_NEAR(ModeratedExact({absent, sometimes}).now.missed, 20, 1e-9);
  EXPECT_NEAR(ModeratedExact({sometimes, {{}}}).base.missed, 60, 1e-9);
  // All runs of one side have the entry, or too few are there to tell.
  EXPECT_EQ(ModeratedExact({kExactRuns, absent}).base.missed, 0);
  EXPECT_EQ(ModeratedExact({TermsOf({{0, 0}, {60, 0}}), absent}).base.missed,
            0);
}

TEST(MissingVarianceTest, GivesAnEntryTheVarianceBetweenItsRuns) {
  const RunVariation variation = {
      .sampling = 2, .relative = 0.0001, .degrees = 50};
  const RunEstimates runs = {TermsOf({{1000, 100}, {2000, 100}, {1000, 100}}),
                             TermsOf({{1500, 100}})};
  const auto missing = MissingVariance(runs, variation, 0.001);
  ASSERT_TRUE(missing);
  MeasuredSide now = {.mean = {4000.0 / 3, 100.0 / 3 + missing->now}};
  AddVariation(variation, 3, now);
  // Widened for two degrees of freedom; (t/z)^2 at 0.05 from scipy.
  const double widened = 1e6 / 3 * 3.1514244491537386;
  EXPECT_NEAR(now.between_runs, widened / 3, 1e-6 * widened);
  // The base has one run, of about the same size.
  MeasuredSide base = {.mean = {1500, 100 + missing->base}};
  AddVariation(variation, 1, base);
  EXPECT_NEAR(base.between_runs, widened, 0.2 * widened);
}

TEST(MissingVarianceTest, IsOfWhatTheVariationDoesNotExplain) {
  const RunEstimates runs = {TermsOf({{1000, 100}, {1030, 100}, {1000, 100}}),
                             {}};
  EXPECT_FALSE(MissingVariance(runs, {}, 0.001));
  EXPECT_TRUE(MissingVariance(runs, {}, 0.1));
  // The more entries differ, the less is unexpected.
  EXPECT_FALSE(MissingVariance(runs, {.prior_degrees = 1}, 0.1));
  EXPECT_FALSE(MissingVariance({TermsOf({{10, 1}, {90, 1}}), {}}, {}, 0.1));
}

// How functions of a simulated program vary: a run of S bytes has the variance
// sampling*V + relative*S^2, times `of_function`, which differs from function
// to function.
std::vector<RunEstimates> VaryingFunctions(double sampling, double relative,
                                           double prior, size_t count) {
  Random random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> exponent(5, 8);
  std::gamma_distribution<double> chi_squared(prior / 2, 2);
  std::vector<RunEstimates> functions;
  for (size_t i = 0; i < count; ++i) {
    const double bytes = std::pow(10, exponent(random));
    const double variance = bytes * 1e4;
    const double of_function =
        std::isinf(prior) ? 1 : prior / chi_squared(random);
    const double deviation = std::sqrt(
        of_function * (sampling * variance + relative * bytes * bytes));
    RunEstimates runs;
    for (const Side side : kSides) {
      for (int run = 0; run < 5; ++run)
        runs[side].push_back({bytes + deviation * normal(random), variance});
      runs[side] = TermsOf(runs[side]);
    }
    functions.push_back(std::move(runs));
  }
  return functions;
}

TEST(CommonVariationTest, FindsHowFunctionsVary) {
  constexpr double kNextToNothing = 1e-4;  // runs differ by 1 %
  for (const auto& [sampling, relative] :
       {std::pair{1.0, 0.0}, {4.0, 0.0}, {1.0, 0.01}, {3.0, 0.01}}) {
    const RunVariation found =
        CommonVariation(VaryingFunctions(sampling, relative, kAlike, 1000));
    EXPECT_NEAR(found.sampling, sampling, 0.1 * sampling);
    EXPECT_NEAR(found.relative, relative, 0.1 * relative + kNextToNothing);
    EXPECT_GE(found.prior_degrees, 128);
    EXPECT_EQ(found.degrees, 1000 * 8);
  }
}

TEST(CommonVariationTest, FindsHowMuchFunctionsDiffer) {
  for (const double prior : {2, 8, 32})
    EXPECT_EQ(
        CommonVariation(VaryingFunctions(2, 0.01, prior, 1000)).prior_degrees,
        prior);
}

TEST(CommonVariationTest, KnowsNothingFromExactRunsThatAreEqual) {
  const std::vector<Estimate> equal = TermsOf({{6, 0}, {6, 0}, {6, 0}});
  EXPECT_EQ(CommonVariation(std::vector(9, RunEstimates{equal, {}})).degrees,
            kAlike);
  const RunVariation found = CommonVariation(
      std::vector(9, RunEstimates{kExactRuns, TermsOf({{9, 0}})}));
  EXPECT_NEAR(found.relative, 1.0 / 36, 1e-4);
  EXPECT_EQ(found.degrees, 18);
}

// Six entries that vary on both sides, four that vary on one, and ten that are
// equal in all runs.
TEST(CommonVariationTest, FindsHowManyEntriesVary) {
  const std::vector<Estimate> equal = TermsOf({{60, 0}, {60, 0}, {60, 0}});
  std::vector<RunEstimates> entries(6, {kExactRuns, kExactRuns});
  entries.resize(10, {kExactRuns, equal});
  entries.resize(20, {equal, equal});
  const RunVariation found = CommonVariation(entries);
  EXPECT_NEAR(found.equal, 0.25, 1e-9);
  EXPECT_NEAR(found.varying, 10.0 / 20 / (1 - 0.25 * 0.25), 1e-9);
  EXPECT_EQ(found.degrees, 10 * 4);
}

TEST(ModerateByOwnRunsTest, TrustsRunsThatAreEqualAsFarAsOthersAllow) {
  const std::vector<Estimate> equal = TermsOf({{60, 0}, {60, 0}, {60, 0}});
  const RunVariation half = {.relative = 0.01,
                             .varying = 0.5,
                             .equal = 0.25,
                             .prior_degrees = 6,
                             .degrees = 50};
  const auto variance = [&](const RunEstimates& runs,
                            const RunVariation& variation) {
    Growth growth = {.now = {{60, 0}}, .base = {{60, 0}}};
    for (const Side side : kSides)
      AddVariation(variation, runs[side].size(), growth[side]);
    ModerateByOwnRuns(runs, variation, growth);
    return growth.now.between_runs;
  };
  const double moderated = 6.0 / 10 * 36 / 3;
  EXPECT_NEAR(variance({equal, equal}, half), moderated / 17, 1e-9);
  // One run of the base tells nothing.
  EXPECT_NEAR(variance({equal, TermsOf({{60, 0}})}, half), 6.0 / 8 * 36 / 3 / 5,
              1e-9);
  // If all entries vary, runs are equal by chance.
  EXPECT_NEAR(
      variance(
          {equal, equal},
          {.relative = 0.01, .equal = 0, .prior_degrees = 6, .degrees = 50}),
      moderated, 1e-9);
}

TEST(CommonVariationTest, NeedsThreeRunsWithSamples) {
  const std::vector<Estimate> two = TermsOf({{10, 0.01}, {20, 0.01}});
  const std::vector<Estimate> few = TermsOf({{10, 90}, {0, 0}, {0, 0}});
  for (const RunEstimates& runs : {RunEstimates{two, two}, {few, few}, {}}) {
    const RunVariation found = CommonVariation(std::vector(100, runs));
    EXPECT_EQ(found.sampling, 1);
    EXPECT_EQ(found.relative, 0);
    EXPECT_EQ(found.degrees, kAlike);
  }
}

// A program with functions that allocate small objects, 10 others whose buffer
// has 1 or 2 MiB by chance, and one that leaks.
std::vector<std::vector<Estimate>> TermsOfSide(double leak, Random& random) {
  constexpr size_t kRuns = 3;
  std::bernoulli_distribution doubles(0.3);
  std::vector<std::vector<Estimate>> functions(31);
  for (size_t run = 0; run < kRuns; ++run) {
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

std::vector<bool> FoundIn(const std::vector<RunEstimates>& entries,
                          const GrowthLimit& limit) {
  const RunVariation variation = CommonVariation(entries);
  std::vector<GrowthTest> tests;
  for (const RunEstimates& entry : entries) {
    tests.push_back({GrowthOfTerms(entry, variation), limit});
    ModerateByOwnRuns(entry, variation, tests.back().growth);
  }
  return FindGrowth(tests, kVariationAlpha);
}

TEST(RunVariationTest, FindsALeakAmongFunctionsThatVary) {
  Random random(7);
  const double found = PercentOf(Scaled(200, 5000), [&]() -> bool {
    const auto now = TermsOfSide(1.5 * kVariationMebibyte, random);
    const auto base = TermsOfSide(0, random);
    std::vector<RunEstimates> entries;
    for (size_t i = 0; i < now.size(); ++i)
      entries.push_back({now[i], base[i]});
    return FoundIn(entries, {.ratio = 1.1, .bytes = kVariationMebibyte / 4})
        .back();
  });
  EXPECT_GE(found, 90);
}

// A run of a program whose functions hold from 0.1 to 30 MB of objects of 1 KB,
// and each of them `spread` more or less than in other runs.
std::vector<RunEstimates> RunsOfLoad(size_t runs, double spread,
                                     Random& random) {
  std::vector<RunEstimates> functions;
  for (int i = 0; i < 60; ++i) {
    const double mean = 3e7 * std::pow(1 / 300.0, i / 60.0);
    std::lognormal_distribution<double> factor(-spread * spread / 2, spread);
    RunEstimates of_function;
    for (const Side side : kSides) {
      for (size_t run = 0; run < runs; ++run)
        of_function[side].push_back(SampledBytes(
            Stack{{1024, static_cast<int>(mean * factor(random) / 1024)}},
            kVariationPeriod, random));
      of_function[side] = TermsOf(of_function[side]);
    }
    functions.push_back(std::move(of_function));
  }
  return functions;
}

TEST(RunVariationTest, RaisesFewFalseAlarmsIfTheLoadVaries) {
  // Two standard errors of a normal run more than in a full one.
  const double most = IsFullRun() ? 5 : 8;
  Random random(9);
  for (const auto& [runs, spread] :
       {std::pair{3, 0.1}, {5, 0.1}, {3, 0.3}, {5, 0.3}}) {
    const double alarms = PercentOf(Scaled(200, 5000), [&] {
      const std::vector<bool> found =
          FoundIn(RunsOfLoad(static_cast<size_t>(runs), spread, random), {});
      return std::ranges::find(found, true) != found.end();
    });
    EXPECT_LE(alarms, most) << runs << ' ' << spread;
  }
}

}  // namespace
}  // namespace heapprof
