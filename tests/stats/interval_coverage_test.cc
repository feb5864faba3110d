// SPDX-License-Identifier: Apache-2.0
//
// How often intervals contain the true value in simulated runs.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/stats/interval.h"
#include "stats/sampled_stacks.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

constexpr double kPeriod = 65536;

// In percent of the runs.
double CoverageOf(const std::vector<Stack>& now, const std::vector<Stack>& base,
                  uint64_t seed) {
  std::mt19937_64 random(seed);
  const double truth = SizeOf(now) - SizeOf(base);
  return PercentOf(Scaled(1000, 100000), [&] {
    const MeasuredSide after = {SampledBytes(now, kPeriod, random), kPeriod};
    const Interval found =
        base.empty()
            ? ConfidenceInterval(after, kConfidence)
            : ConfidenceInterval(
                  Growth{after, {SampledBytes(base, kPeriod, random), kPeriod}},
                  kConfidence);
    return found.lower <= truth && truth <= found.upper;
  });
}

std::vector<Stack> Times(std::vector<Stack> stacks, int factor) {
  for (Stack& stack : stacks)
    for (Objects& objects : stack) objects.count *= factor;
  return stacks;
}

// From many small objects of one size to a growing vector.
const std::vector<Stack> kPrograms[] = {
    {{{256, 4000}}},
    {{{32, 30000}}, {{4096, 200}}},
    {{{65536, 20}}, {{2048, 500}, {16384, 40}, {131072, 6}}},
    {{{1024, 1},
      {2048, 1},
      {4096, 1},
      {8192, 1},
      {16384, 1},
      {32768, 1},
      {65536, 1},
      {131072, 1},
      {262144, 1},
      {524288, 1}},
     {{512, 900}}},
};

constexpr double kLeast = 93;

TEST(IntervalCoverageTest, IsHighEnoughForSums) {
  for (const auto& program : kPrograms)
    for (const int factor : {1, 5, 25})
      EXPECT_GE(CoverageOf(Times(program, factor), {}, 1), kLeast)
          << &program - kPrograms << " times " << factor;
}

constexpr double kKibibyte = 1024;
constexpr double kCoveredMebibyte = 1024 * kKibibyte;

TEST(IntervalCoverageTest, IsHighEnoughForObjectsOfAnySize) {
  for (const double size :
       {64.0, 4 * kKibibyte, 64 * kKibibyte, 256 * kKibibyte, kCoveredMebibyte,
        64 * kCoveredMebibyte})
    for (const double samples : {1, 3, 10, 100, 1000}) {
      const Stack stack = {ObjectsFor(samples, size, kPeriod)};
      EXPECT_GE(CoverageOf({stack}, {}, 6), kLeast)
          << size << ", " << samples << " samples";
    }
}

struct Mix {
  double small, few;  // the size, and how many samples are expected
  double large, many;
};

// Large objects are sampled for certain. The small ones beside them may all be
// missed.
TEST(IntervalCoverageTest, IsHighEnoughForMixedSizes) {
  for (const auto& [small, few, large, many] :
       {Mix{64, 2, 64 * kCoveredMebibyte, 1},
        Mix{64, 4, 64 * kCoveredMebibyte, 1},
        Mix{64, 1, 64 * kCoveredMebibyte, 300},
        Mix{64, 300, 64 * kCoveredMebibyte, 3},
        Mix{64, 30, kCoveredMebibyte, 30}, Mix{64, 5, 64 * kKibibyte, 1},
        Mix{32 * kKibibyte, 5, 64 * kCoveredMebibyte, 3},
        Mix{kKibibyte, 700, 64 * kCoveredMebibyte, 300}}) {
    const Objects of_small = ObjectsFor(few, small, kPeriod);
    const Objects of_large = ObjectsFor(many, large, kPeriod);
    EXPECT_GE(CoverageOf({{of_small, of_large}}, {}, 7), kLeast)
        << small << " and " << large << " in one stack";
    EXPECT_GE(CoverageOf({{of_small}, {of_large}}, {}, 8), kLeast)
        << small << " and " << large << " in two stacks";
  }
}

TEST(IntervalCoverageTest, IsHighEnoughForDifferences) {
  for (const auto& program : kPrograms)
    for (const int factor : {1, 5, 25})
      for (const int growth : {1, 2, 10})
        for (const bool grows : {true, false}) {
          const std::vector<Stack> small = Times(program, factor);
          const std::vector<Stack> large = Times(small, growth);
          EXPECT_GE(
              grows ? CoverageOf(large, small, 2) : CoverageOf(small, large, 3),
              kLeast)
              << &program - kPrograms << " times " << factor << ", " << growth;
        }
}

// The share of a part is not as uncertain as the part: large blocks that are
// always sampled are part of a total with errors, and nearly all of a heap is
// nearly all of it, however large it is.
TEST(IntervalCoverageTest, IsHighEnoughForShares) {
  struct Shares {
    double small, large;  // how many samples of small and of large objects
  };
  for (const auto& [small, large] :
       {Shares{30, 1}, Shares{30, 30}, Shares{300, 30}, Shares{300, 3000}})
    for (const double size : {64.0, 64 * kKibibyte, 2 * kCoveredMebibyte}) {
      const std::vector<Stack> part = {{ObjectsFor(large, size, kPeriod)}};
      const std::vector<Stack> rest = {{ObjectsFor(small, 64, kPeriod)}};
      const double truth = SizeOf(part) / (SizeOf(part) + SizeOf(rest));
      std::mt19937_64 random(9);
      const auto sampled = [&](const std::vector<Stack>& stacks) {
        return MeasuredSide{SampledBytes(stacks, kPeriod, random), kPeriod};
      };
      const auto coverage = PercentOf(Scaled(1000, 100000), [&] {
        const MeasuredSide a = sampled(part), b = sampled(rest);
        return a.mean.value + b.mean.value == 0 ||
               (ShareInterval(a, b, kConfidence).Contains(truth) &&
                ShareInterval(b, a, kConfidence).Contains(1 - truth));
      });
      EXPECT_GE(coverage, kLeast) << small << " " << large << " of " << size;
    }
}

// A function that only one side has.
TEST(IntervalCoverageTest, IsHighEnoughForFunctionsThatOneSideLacks) {
  const std::vector<Stack> nothing = {{{256, 0}}};
  for (const int kilobytes : {1, 64, 256, 4096}) {
    const std::vector<Stack> some = {{{256, 4 * kilobytes}}};
    EXPECT_GE(CoverageOf(some, nothing, 4), kLeast) << kilobytes;
    EXPECT_GE(CoverageOf(nothing, some, 5), kLeast) << kilobytes;
  }
}

}  // namespace
}  // namespace heapprof
