// SPDX-License-Identifier: Apache-2.0
//
// How often simulated comparisons find growth where there is none, and miss
// growth that there is.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/stats/growth.h"
#include "heapprof/stats/run_variation.h"
#include "stats/sampled_stacks.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

constexpr double kSimulatedPeriod = 524288;
constexpr double kSimulatedAlpha = 0.05;
constexpr double kMegabyte = 1e6;
constexpr double kSimulatedMebibyte = 1048576;

using Random = std::mt19937_64;
using Function = std::vector<Stack>;

MeasuredSide Sampled(const Function& function, double period, Random& random) {
  return {SampledBytes(function, period, random), period};
}

bool IsFound(const Growth& growth, const GrowthLimit& limit) {
  const GrowthTest tests[] = {{growth, limit}};
  return FindGrowth(tests, kSimulatedAlpha).front();
}

// About `bytes`, in objects of this size.
Objects BytesOf(double bytes, double size) {
  return {size, static_cast<int>(std::round(bytes / size))};
}

// The limits allow whole objects: the counts are multiples of 20.
const Function kFunctions[] = {
    {{{64, 40000}}},
    {{{4096, 2000}}, {{65536, 20}}},
    {{{64, 20000}, {16384, 1000}, {1048576, 20}}},
    {{{1024, 100000}}, {{262144, 200}}, {{8388608, 20}}},
};

// `base`, grown to ratio*base + bytes.
Function Grown(Function base, const GrowthLimit& limit) {
  for (Stack& stack : base)
    for (Objects& objects : stack)
      objects.count = static_cast<int>(std::round(limit.ratio * objects.count));
  if (limit.bytes > 0) base.push_back({BytesOf(limit.bytes, 1024)});
  return base;
}

struct Periods {
  double now;
  double base;
};

TEST(GrowthSimulationTest, RaisesFewFalseAlarmsAtTheLimit) {
  constexpr double kMost = 6;
  Random random(1);
  for (const Function& function : kFunctions)
    for (const GrowthLimit& limit : {GrowthLimit{1, 0},
                                     {1.05, 0},
                                     {1, kSimulatedMebibyte},
                                     {1.05, kSimulatedMebibyte}})
      for (const auto& [now, base] :
           {Periods{kSimulatedPeriod, kSimulatedPeriod},
            {65536, kSimulatedPeriod},
            {kSimulatedPeriod, 65536}}) {
        const Function grown = Grown(function, limit);
        const double alarms = PercentOf(Scaled(1000, 100000), [&] {
          return IsFound(
              {Sampled(grown, now, random), Sampled(function, base, random)},
              limit);
        });
        EXPECT_LE(alarms, kMost)
            << &function - kFunctions << ": " << limit.ratio << ", "
            << limit.bytes << "; " << now << " and " << base;
      }
}

// 119 MB in 300 functions, from 8 MB down to 0.1 MB, each with objects of one
// size.
std::vector<Stack> Heap() {
  constexpr int kCount = 300;
  constexpr double kSize = 119 * kMegabyte;
  constexpr double kSizes[] = {64, 320, 1024, 4096, 16384, 65536, 262144};
  double weights = 0;
  for (int i = 0; i < kCount; ++i) weights += 1.0 / (i + 5);
  std::vector<Stack> heap;
  for (int i = 0; i < kCount; ++i)
    heap.push_back(
        {BytesOf(kSize / (i + 5) / weights, kSizes[heap.size() % 7])});
  return heap;
}

std::vector<GrowthTest> Compared(const std::vector<Stack>& now,
                                 const std::vector<Stack>& base,
                                 Random& random) {
  std::vector<GrowthTest> tests(now.size());
  for (size_t i = 0; i < now.size(); ++i)
    tests[i].growth = {Sampled({now[i]}, kSimulatedPeriod, random),
                       Sampled({base[i]}, kSimulatedPeriod, random)};
  return tests;
}

bool Any(const std::vector<bool>& found) {
  return std::ranges::find(found, true) != found.end();
}

TEST(GrowthSimulationTest, FindsALeakAmongManyFunctions) {
  constexpr double kLeast = 90;
  Random random(2);
  std::vector<Stack> base = Heap();
  std::vector<Stack> now = base;
  base.push_back({});
  now.push_back({BytesOf(10 * kMegabyte, 1024)});
  const double found = PercentOf(Scaled(200, 20000), [&]() -> bool {
    return FindGrowth(Compared(now, base, random), kSimulatedAlpha).back();
  });
  EXPECT_GE(found, kLeast);
}

TEST(GrowthSimulationTest, RaisesFewFalseAlarmsAmongManyFunctions) {
  Random random(3);
  const std::vector<Stack> heap = Heap();
  const double alarms = PercentOf(Scaled(200, 20000), [&] {
    return Any(FindGrowth(Compared(heap, heap, random), kSimulatedAlpha));
  });
  EXPECT_LE(alarms, 100 * kSimulatedAlpha);
}

// Objects whose number varies from run to run, so that the variance of their
// estimate is `dispersion` times that of sampling.
Stack Varying(const Objects& objects, double dispersion, Random& random) {
  const double samples = objects.size * objects.count / kSimulatedPeriod;
  if (dispersion <= 1 || samples == 0) return {objects};
  const double shape = samples / (dispersion - 1);
  std::gamma_distribution<double> factor(shape, 1 / shape);
  const double count = std::round(objects.count * factor(random));
  return {{objects.size, static_cast<int>(count)}};
}

// Each divided by their number.
std::vector<Estimate> Runs(const Objects& objects, size_t count,
                           double dispersion, Random& random) {
  std::vector<Estimate> runs(count);
  for (Estimate& run : runs) {
    run = SampledBytes(Varying(objects, dispersion, random), kSimulatedPeriod,
                       random);
    run.value /= static_cast<double>(count);
    run.variance /= static_cast<double>(count * count);
  }
  return runs;
}

Growth GrowthOf(const RunEstimates& runs, const RunVariation& variation) {
  Growth growth;
  for (const Side side : kSides) {
    for (const Estimate& run : runs[side]) growth[side].mean += run;
    growth[side].missed =
        kSimulatedPeriod / static_cast<double>(runs[side].size());
    AddVariation(variation, runs[side].size(), growth[side]);
  }
  return growth;
}

TEST(GrowthSimulationTest, RaisesFewFalseAlarmsIfTheRunsVary) {
  // Two standard errors of a normal run more than in a full one.
  const double most = IsFullRun() ? 5 : 7;
  const Objects total = BytesOf(119 * kMegabyte, 1024);
  Random random(4);
  for (const size_t count : {3U, 5U, 10U})
    for (const double truth : {1, 2, 4}) {
      const double alarms = PercentOf(Scaled(1000, 100000), [&] {
        const RunEstimates runs = {Runs(total, count, truth, random),
                                   Runs(total, count, truth, random)};
        return IsFound(GrowthOf(runs, VariationOf(runs)), {});
      });
      EXPECT_LE(alarms, most) << count << " runs, dispersion " << truth;
    }
}

std::vector<GrowthTest> ComparedRuns(const std::vector<RunEstimates>& entries) {
  const RunVariation variation = CommonVariation(entries);
  std::vector<GrowthTest> tests;
  for (const RunEstimates& runs : entries) {
    tests.push_back({GrowthOf(runs, variation), {}});
    ModerateByOwnRuns(runs, variation, tests.back().growth);
  }
  return tests;
}

TEST(GrowthSimulationTest, FindsOnlyALeakIfTheRunsOfManyFunctionsVary) {
  constexpr size_t kRuns = 3;
  constexpr double kLeast = 90;
  Random random(6);
  std::vector<Stack> heap = Heap();
  // With a dispersion of 4, the 20 samples of 10 MB do not suffice: even if it
  // were known, only 69 % would be found.
  for (const auto& [dispersion, leak] :
       {std::pair{1.0, 10.0}, {2.0, 10.0}, {4.0, 20.0}}) {
    size_t alarms = 0;
    const size_t trials = Scaled(50, 5000);
    const double found = PercentOf(trials, [&] {
      std::vector<RunEstimates> entries;
      for (const Stack& stack : heap) {
        auto now = Runs(stack[0], kRuns, dispersion, random);
        entries.push_back(
            {std::move(now), Runs(stack[0], kRuns, dispersion, random)});
      }
      entries.push_back(
          {Runs(BytesOf(leak * kMegabyte, 1024), kRuns, dispersion, random),
           std::vector<Estimate>(kRuns)});
      std::vector<bool> result =
          FindGrowth(ComparedRuns(entries), kSimulatedAlpha);
      const bool is_found = result.back();
      result.pop_back();
      if (Any(result)) ++alarms;
      return is_found;
    });
    EXPECT_GE(found, kLeast) << dispersion;
    EXPECT_LE(static_cast<double>(alarms),
              kSimulatedAlpha * static_cast<double>(trials))
        << dispersion;
  }
}

// How often growth that should be found in 90 % of all comparisons is found, in
// per cent, if the sides have these sampling periods.
double PercentOfDetectable(const Sides<double>& periods, double bytes,
                           const GrowthLimit& limit, Random& random) {
  const Function base = {{BytesOf(bytes, 1024)}};
  const auto expected = [&](Side side) -> MeasuredSide {
    return {{bytes, bytes * periods[side]}, periods[side]};
  };
  const double growth =
      DetectableGrowth({expected(Side::kNew), expected(Side::kBase)}, limit,
                       kSimulatedAlpha, 0.9);
  const Function now = Grown(base, {limit.ratio, limit.bytes + growth});
  return PercentOf(Scaled(1000, 100000), [&] {
    return IsFound({Sampled(now, periods.now, random),
                    Sampled(base, periods.base, random)},
                   limit);
  });
}

TEST(GrowthSimulationTest, FindsTheDetectableGrowthAsOftenAsStated) {
  Random random(5);
  for (const Sides<double>& periods :
       {Sides<double>{kSimulatedPeriod, kSimulatedPeriod},
        {kSimulatedPeriod, kSimulatedPeriod / 8},
        {kSimulatedPeriod / 8, kSimulatedPeriod}}) {
    // Errors of few samples are not normally distributed, which shows most if
    // only one side has them.
    const double tolerance = periods.now == periods.base ? 5 : 7;
    for (const double bytes : {0.0, 4 * kSimulatedMebibyte, 119 * kMegabyte})
      for (const GrowthLimit& limit :
           {GrowthLimit{1, 0}, {1.05, kSimulatedMebibyte}})
        EXPECT_NEAR(PercentOfDetectable(periods, bytes, limit, random), 90,
                    tolerance)
            << periods.now << ' ' << periods.base << ' ' << bytes << ' '
            << limit.ratio;
  }
}

}  // namespace
}  // namespace heapprof
