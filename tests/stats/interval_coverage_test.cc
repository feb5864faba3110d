// SPDX-License-Identifier: Apache-2.0
//
// How often intervals contain the true value in simulated runs: every object is
// sampled with jemalloc's probability, and the values of a stack are written as
// jemalloc writes them.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/stats/interval.h"
#include "heapprof/stats/unbias.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

constexpr double kPeriod = 65536;
constexpr double kConfidence = 0.95;

struct Objects {
  double size = 0;
  int count = 0;
};

using Stack = std::vector<Objects>;

// The values that jemalloc 5.3 writes for the sampled objects of a stack:
// scaling them results in the sum of each object's weight.
Estimate DumpedBytes(const Stack& stack, std::mt19937_64& random) {
  double objects = 0, bytes = 0;
  for (const auto& [size, count] : stack) {
    const double probability = 1 - std::exp(-size / kPeriod);
    const double sampled =
        std::binomial_distribution<int>(count, probability)(random);
    objects += sampled / probability;
    bytes += sampled * size / probability;
  }
  if (objects == 0) return {};
  const double mean = bytes / objects;
  const double dumped = bytes * (1 - std::exp(-mean / kPeriod));
  return Unbias(std::round(dumped / mean), std::round(dumped), kPeriod).bytes;
}

double SizeOf(const std::vector<Stack>& stacks) {
  double size = 0;
  for (const Stack& stack : stacks)
    for (const Objects& objects : stack) size += objects.size * objects.count;
  return size;
}

Estimate Estimated(const std::vector<Stack>& stacks, std::mt19937_64& random) {
  Estimate sum;
  for (const Stack& stack : stacks) sum += DumpedBytes(stack, random);
  return sum;
}

// The percentage of runs.
double CoverageOf(const std::vector<Stack>& now, const std::vector<Stack>& base,
                  uint64_t seed) {
  std::mt19937_64 random(seed);
  const double truth = SizeOf(now) - SizeOf(base);
  const size_t runs = Scaled(1000, 100000);
  size_t hits = 0;
  for (size_t i = 0; i < runs; ++i) {
    Change change = {.value = 0, .now = Estimated(now, random), .base = {}};
    if (!base.empty()) change.base = Estimated(base, random);
    change.value = change.now.value - (change.base ? change.base->value : 0.0);
    const Interval found = ConfidenceInterval(change, kConfidence, kPeriod);
    if (found.lower <= truth && truth <= found.upper) ++hits;
  }
  return 100.0 * static_cast<double>(hits) / static_cast<double>(runs);
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
