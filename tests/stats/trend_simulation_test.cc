// SPDX-License-Identifier: Apache-2.0
//
// How often the trends of simulated processes are right.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/stats/trend.h"
#include "stats/sampled_stacks.h"
#include "stats/simulated_dumps.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

using Random = std::mt19937_64;

constexpr double kMiB = 1048576;
constexpr double kLevelOfBounds = 0.025;

// What a function does between two dumps.
using Step = std::function<void(std::vector<ObjectPool>&, size_t hour)>;

SimulatedSeries Simulate(size_t dumps, const std::vector<double>& sizes,
                         Random& random, const Step& step) {
  std::vector<ObjectPool> pools;
  for (const double size : sizes) pools.emplace_back(size, random);
  SimulatedSeries series;
  for (size_t hour = 0; hour < dumps; ++hour) {
    step(pools, hour);
    series.Dump(pools);
  }
  return series;
}

// A process that leaks, fills a cache, works, and empties a buffer when full.
struct SimulatedProcess {
  explicit SimulatedProcess(Random& random) {
    constexpr size_t kDumps = 16;
    // It starts to leak with 10 MiB of other memory.
    functions.push_back(
        Simulate(kDumps, {1024}, random, [](auto& pools, size_t hour) {
          pools[0].Allocate((hour == 0 ? 10 : 3) * kMiB);
        }));
    functions.push_back(
        Simulate(kDumps, {4096}, random, [](auto& pools, size_t hour) {
          constexpr double kSize = 80 * kMiB, kHours = 2;
          const auto filled = [](double at) {
            return kSize * (1 - std::exp(-at / kHours));
          };
          const auto at = static_cast<double>(hour);
          pools[0].Allocate(filled(at + 1) - filled(at));
        }));
    functions.push_back(
        Simulate(kDumps, {256, 65536}, random, [&](auto& pools, size_t) {
          std::uniform_real_distribution<double> load(60, 200);
          for (ObjectPool& pool : pools) {
            pool.FreeAll();
            pool.Allocate(load(random) * kMiB);
          }
        }));
    functions.push_back(
        Simulate(kDumps, {2048}, random, [](auto& pools, size_t hour) {
          constexpr size_t kHours = 5;
          if (hour % kHours == 0) pools[0].FreeAll();
          pools[0].Allocate(20 * kMiB);
        }));
  }

  std::vector<SimulatedSeries> functions;  // the first one leaks
};

std::vector<double> ValuesOf(const SimulatedSeries& series) {
  std::vector<double> values;
  for (const SeriesPoint& point : series.points)
    values.push_back(point.bytes.value);
  return values;
}

// True if the leak has the largest value of `rank`.
template <typename Rank>
bool RanksLeakFirst(const SimulatedProcess& process, const Rank& rank) {
  std::vector<double> ranks;
  for (const SimulatedSeries& series : process.functions)
    ranks.push_back(rank(series));
  return std::ranges::max_element(ranks) == ranks.begin();
}

TEST(TrendSimulationTest, RanksALeakFirstAndNothingElseGrows) {
  Random random(1);
  const size_t runs = Scaled(20, 600);
  size_t first = 0, by_difference = 0, by_plain = 0, found = 0, wrong = 0;
  for (size_t run = 0; run < runs; ++run) {
    const SimulatedProcess process(random);
    first += RanksLeakFirst(process, [](const SimulatedSeries& series) {
      return FitTrend(series.points).LowerBound(kLevelOfBounds);
    });
    by_difference += RanksLeakFirst(process, [](const auto& series) {
      return series.points.back().bytes.value -
             series.points.front().bytes.value;
    });
    by_plain += RanksLeakFirst(process, [](const SimulatedSeries& series) {
      return PlainSlope(ValuesOf(series));
    });
    const auto label = [&](const SimulatedSeries& series) {
      const auto count = static_cast<double>(process.functions.size());
      return LabelTrend(series.points, FitTrend(series.points),
                        kLevelOfBounds / count);
    };
    found += label(process.functions.front()) == TrendLabel::kGrowing;
    wrong += std::any_of(process.functions.begin() + 1, process.functions.end(),
                         [&](const auto& series) {
                           return label(series) == TrendLabel::kGrowing;
                         });
  }
  const auto percent = [runs](size_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(runs);
  };
  RecordProperty("by_difference", static_cast<int>(by_difference));
  RecordProperty("by_plain", static_cast<int>(by_plain));
  EXPECT_GE(percent(first), 95);
  EXPECT_GE(percent(found), 95);
  EXPECT_LE(percent(wrong), 5);
  EXPECT_LT(by_difference, first);
  EXPECT_LT(by_plain, first);
}

TEST(TrendSimulationTest, FindsLeaksInEightDumps) {
  constexpr size_t kDumps = 8;
  constexpr double kRows = 8, kSamplesPerDump = 16;
  Random random(4);
  const size_t runs = Scaled(200, 4000);
  size_t found = 0;
  for (size_t run = 0; run < runs; ++run) {
    const SimulatedSeries series =
        Simulate(kDumps, {1024}, random, [](auto& pools, size_t) {
          pools[0].Allocate(kSamplesPerDump * kDumpPeriod);
        });
    found += LabelTrend(series.points, FitTrend(series.points),
                        kLevelOfBounds / kRows) == TrendLabel::kGrowing;
  }
  // 20 % if nothing but the last dumps says how long their memory lives.
  EXPECT_GE(found, runs * 6 / 10);
}

struct Behaviour {
  std::string name;
  std::vector<double> sizes;
  Step step;
};

// How functions hold memory. What they really hold is a straight line, so that
// there is one true rate.
std::vector<Behaviour> Behaviours() {
  const auto leak = [](double base, double rate) {
    return [=](auto& pools, size_t hour) {
      pools[0].Allocate(hour == 0 ? base * kMiB : 0);
      pools.back().Allocate(rate * kMiB);
    };
  };
  const auto churn = [](double base, double share, double rate) {
    return [=](auto& pools, size_t hour) {
      if (hour == 0) pools[0].Allocate(base * kMiB);
      pools[0].Replace(share);
      pools.back().Allocate(rate * kMiB);
    };
  };
  return {{"leak", {1024}, leak(0, 3)},
          {"small leak", {1024}, leak(0, 0.5)},
          {"leak of large objects", {262144}, leak(0, 3)},
          {"leak beside memory that stays", {1024, 1024}, leak(100, 3)},
          {"memory that stays", {1024, 1024}, leak(100, 0)},
          {"all is new", {1024, 1024}, churn(100, 1, 0)},
          {"half is new", {1024, 1024}, churn(100, 0.5, 0)},
          {"a tenth is new", {4096, 1024}, churn(100, 0.1, 0)},
          {"a hundredth is new", {1024, 1024}, churn(100, 0.01, 0)},
          {"little of much is new", {1024, 1024}, churn(1000, 0.003, 0)},
          {"little memory", {1024, 1024}, churn(1, 0.3, 0)},
          {"leak beside new memory", {1024, 1024}, churn(50, 1, 3)},
          {"leak beside half new memory", {1024, 4096}, churn(50, 0.5, 3)}};
}

TEST(TrendSimulationTest, IntervalsHoldTheTrueRate) {
  constexpr double kLeast = 93;
  Random random(2);
  // Two standard errors of a normal run are more than those of a full one.
  const double least = IsFullRun() ? kLeast : kLeast - 2;
  for (const auto& [name, sizes, step] : Behaviours())
    for (const size_t dumps : {5U, 16U, 41U}) {
      size_t all = 0, half = 0;
      const size_t runs = Scaled(200, 4000);
      for (size_t run = 0; run < runs; ++run) {
        const SimulatedSeries series = Simulate(dumps, sizes, random, step);
        const double rate = PlainSlope(series.truth);
        const Trend trend = FitTrend(series.points);
        const auto holds = [&](const Slope& slope) {
          const Interval interval = ConfidenceInterval(slope, 0.95);
          const double rounding = 1e-6 * kMiB;
          return interval.lower <= rate + rounding &&
                 rate <= interval.upper + rounding;
        };
        all += holds(trend.all);
        half += holds(trend.last_half);
      }
      const auto percent = [runs](size_t count) {
        return 100.0 * static_cast<double>(count) / static_cast<double>(runs);
      };
      EXPECT_GE(percent(all), least) << name << ", " << dumps << " dumps";
      EXPECT_GE(percent(half), least)
          << name << ", last half of " << dumps << " dumps";
    }
}

TEST(TrendSimulationTest, SlopesAreNotBiased) {
  Random random(3);
  for (const auto& [name, sizes, step] : Behaviours()) {
    double error = 0, size = 0, rate = 1;
    const size_t runs = Scaled(400, 10000);
    for (size_t run = 0; run < runs; ++run) {
      const SimulatedSeries series = Simulate(16, sizes, random, step);
      rate = std::max(1.0, PlainSlope(series.truth));
      const double difference =
          FitSlope(series.points).value - PlainSlope(series.truth);
      error += difference;
      size += difference * difference;
    }
    const auto count = static_cast<double>(runs);
    // With few samples, weights that depend on them add a bias of about 1 %.
    const double bias = 0.02 * rate;
    EXPECT_LE(std::abs(error / count), 4 * std::sqrt(size) / count + bias)
        << name;
  }
}

}  // namespace
}  // namespace heapprof
