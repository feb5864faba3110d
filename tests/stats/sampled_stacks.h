// SPDX-License-Identifier: Apache-2.0
//
// Heaps whose objects are sampled as jemalloc does it. Each object of size x is
// sampled with probability 1 - exp(-x/R), and the values of a stack are written
// as jemalloc 5.3 writes them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "heapprof/stats/unbias.h"

namespace heapprof {

struct Objects {
  double size = 0;
  int count = 0;
};

// What one stack allocated.
using Stack = std::vector<Objects>;

// What a dump says about a stack. Scaling the values that jemalloc 5.3 writes
// results in the sum of each object's weight.
inline Estimate SampledBytes(const Stack& stack, double period,
                             std::mt19937_64& random) {
  double objects = 0, bytes = 0;
  for (const auto& [size, count] : stack) {
    const double probability = -std::expm1(-size / period);
    const double sampled =
        std::binomial_distribution<int>(count, probability)(random);
    objects += sampled * std::round(8 / probability) / 8;
    bytes += sampled * std::round(size / probability);
  }
  if (objects == 0) return {};
  const double mean = bytes / objects;
  const double dumped = bytes * -std::expm1(-mean / period);
  return Unbias(std::round(dumped / mean), std::round(dumped), period).bytes;
}

// The sum over a function's stacks.
inline Estimate SampledBytes(const std::vector<Stack>& stacks, double period,
                             std::mt19937_64& random) {
  Estimate sum;
  for (const Stack& stack : stacks) sum += SampledBytes(stack, period, random);
  return sum;
}

inline double SizeOf(const std::vector<Stack>& stacks) {
  double size = 0;
  for (const Stack& stack : stacks)
    for (const Objects& objects : stack) size += objects.size * objects.count;
  return size;
}

// As many objects of this size that `samples` are expected to be sampled, at
// least one.
inline Objects ObjectsFor(double samples, double size, double period) {
  const double count = std::round(samples / -std::expm1(-size / period));
  return {size, std::max(1, static_cast<int>(count))};
}

// The share of `runs` simulations in which `holds` returned true, in percent.
template <typename Predicate>
double PercentOf(size_t runs, Predicate holds) {
  size_t hits = 0;
  for (size_t i = 0; i < runs; ++i)
    if (holds()) ++hits;
  return 100.0 * static_cast<double>(hits) / static_cast<double>(runs);
}

}  // namespace heapprof
