// SPDX-License-Identifier: Apache-2.0
//
// Dumps of simulated processes, with memory that stays, is replaced, or is
// freed at once. An object is sampled when it is allocated, as jemalloc does
// it, so that it is in all dumps during its life or in none.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "heapprof/stats/slope.h"

namespace heapprof {

inline constexpr double kDumpPeriod = 524288;

// Objects of one size from one stack.
class ObjectPool {
 public:
  ObjectPool(double size, std::mt19937_64& random)
      : size_(size), random_(random) {}

  double bytes() const { return size_ * static_cast<double>(live_); }

  // As many objects as have about `bytes`.
  void Allocate(double bytes) {
    const auto count = static_cast<int64_t>(std::round(bytes / size_));
    live_ += count;
    sampled_ += Draw(count, -std::expm1(-size_ / kDumpPeriod));
  }
  // Frees each object with this probability, and allocates as many new ones.
  void Replace(double share) {
    const int64_t sampled = Draw(sampled_, share);
    const int64_t others = Draw(live_ - sampled_, share);
    sampled_ -= sampled;
    live_ -= sampled + others;
    Allocate(static_cast<double>(sampled + others) * size_);
  }
  void FreeAll() { live_ = sampled_ = 0; }

  Estimate Dumped() const {
    const auto count = static_cast<double>(sampled_);
    return Unbias(count, count * size_, kDumpPeriod).bytes;
  }

 private:
  int64_t Draw(int64_t count, double probability) {
    return std::binomial_distribution<int64_t>(count, probability)(random_);
  }

  double size_;
  std::mt19937_64& random_;
  int64_t live_ = 0, sampled_ = 0;
};

// The dumps of one function, one each hour, and what it really held.
struct SimulatedSeries {
  std::vector<SeriesPoint> points = {};
  std::vector<double> truth = {};

  void Dump(const std::vector<ObjectPool>& pools) {
    SeriesPoint& point = points.emplace_back();
    point.at = static_cast<double>(points.size());
    point.missed = kDumpPeriod;
    double bytes = 0;
    for (const ObjectPool& pool : pools) {
      point.bytes += pool.Dumped();
      bytes += pool.bytes();
    }
    truth.push_back(bytes);
  }
};

// By least squares without weights.
inline double PlainSlope(const std::vector<double>& values) {
  const double middle = static_cast<double>(values.size() - 1) / 2;
  double products = 0, squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double at = static_cast<double>(i) - middle;
    products += at * values[i];
    squares += at * at;
  }
  return products / squares;
}

}  // namespace heapprof
