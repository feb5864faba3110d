// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/growth.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "heapprof/stats/sum.h"
#include "stats/gamma_bounds.h"
#include "stats/quantiles.h"

namespace heapprof {
namespace {

// DetectableGrowth() doubles an upper bound until it suffices or exceeds kHuge,
// which no growth reaches. Then it bisects kBisections times, which leaves an
// error of 2^-40 of that bound.
constexpr int kBisections = 40;
constexpr double kHuge = 1e300;

// Returns now - ratio*base - bytes; exactly 0 if only a rounding error is left.
double Excess(const Growth& growth, double ratio, double bytes) {
  CancellingSum sum;
  sum.Add(growth.now.mean.value);
  sum.Add(-ratio * growth.base.mean.value);
  sum.Add(-bytes);
  return sum.value();
}

// Return the distance from the estimate of a side to its lower bound
// (RoomBelow) or upper bound (RoomAbove), at level `alpha`.
double RoomBelow(const MeasuredSide& side, double alpha) {
  return side.mean.value - LowerBound(side, alpha);
}

double RoomAbove(const MeasuredSide& side, double alpha) {
  return UpperBound(side, alpha) - side.mean.value;
}

bool IsBeyond(const GrowthTest& test, double alpha) {
  const auto& [growth, limit] = test;
  const double excess = Excess(growth, limit.ratio, limit.bytes);
  return excess > 0 &&
         excess > std::hypot(RoomBelow(growth.now, alpha),
                             limit.ratio * RoomAbove(growth.base, alpha));
}

// Returns a side with the same bounds at this level, whose error is that of
// sampling.
MeasuredSide AtLevel(const MeasuredSide& side, double alpha) {
  return {.mean = {side.mean.value, VarianceOf(side, alpha)},
          .missed = side.missed};
}

// Returns how the new side would measure what the base holds. The sides may
// have different periods or numbers of runs; the error of a byte is then that
// of the bytes that the new side has.
MeasuredSide Unchanged(const Growth& sides) {
  const auto& [now, base] = sides;
  if (now.missed == base.missed) return base;
  const double of_a_byte =
      now.mean.value > 0 ? now.mean.variance / now.mean.value : now.missed;
  const double value = base.mean.value;
  return {.mean = {value, of_a_byte * std::max(value, 0.0)},
          .missed = now.missed};
}

// Returns a side whose value has grown from `base` to ratio*base + growth.
// Assumes that the new bytes are in objects far smaller than the sampling
// period, because these have the largest variance.
MeasuredSide Grown(const MeasuredSide& base, double ratio, double growth) {
  const auto& [value, variance] = base.mean;
  return {
      .mean = {ratio * value + growth, ratio * variance + base.missed * growth},
      .missed = base.missed};
}

// Returns whether HasChanged() would be true if one side had all bytes of both.
bool MayHaveChanged(const Growth& entry, double level) {
  const auto& [now, base] = entry;
  const double bytes = now.mean.value + base.mean.value;
  // The upper bound of a side without samples, which most entries do not reach.
  const double of_nothing =
      -std::log(level) * std::min(now.missed, base.missed);
  return bytes > of_nothing && (MayProveGrowth({entry, {}}, level) ||
                                MayProveGrowth({{base, now}, {}}, level));
}

}  // namespace

MeasuredSide& MeasuredSide::operator+=(const MeasuredSide& other) {
  mean += other.mean;
  missed = std::max(missed, other.missed);
  between_runs += other.between_runs;
  degrees = std::min(degrees, other.degrees);
  return *this;
}

double LowerGrowthBound(const Growth& growth, double ratio, double alpha) {
  return Excess(growth, ratio, 0) -
         std::hypot(RoomBelow(growth.now, alpha),
                    ratio * RoomAbove(growth.base, alpha));
}

double UpperGrowthBound(const Growth& growth, double ratio, double alpha) {
  return Excess(growth, ratio, 0) +
         std::hypot(RoomAbove(growth.now, alpha),
                    ratio * RoomBelow(growth.base, alpha));
}

std::vector<bool> FindGrowth(std::span<const GrowthTest> tests, double alpha) {
  std::vector<bool> found(tests.size());
  size_t left = tests.size();
  for (size_t before = left + 1; left > 0 && left < before;) {
    before = left;
    const double level = alpha / static_cast<double>(before);
    for (size_t i = 0; i < tests.size(); ++i) {
      if (found[i] || !IsBeyond(tests[i], level)) continue;
      found[i] = true;
      --left;
    }
  }
  return found;
}

bool MayProveGrowth(const GrowthTest& test, double alpha) {
  GrowthTest most = test;
  auto& [now, base] = most.growth;
  const double missed = now.missed;
  now += base;
  now.missed = missed;
  base = {.missed = base.missed};
  return IsBeyond(most, alpha);
}

bool HasChanged(const Growth& entry, double level) {
  const auto& [now, base] = entry;
  return IsBeyond({entry, {}}, level) || IsBeyond({{base, now}, {}}, level);
}

FoundChanges FindChanges(std::span<const Growth> entries, double alpha) {
  const double of_one = alpha / 2;  // in each direction
  size_t tested = 0;
  std::vector<size_t> found;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (!MayHaveChanged(entries[i], of_one)) continue;
    ++tested;
    if (HasChanged(entries[i], of_one)) found.push_back(i);
  }
  FoundChanges result = {.changed = std::vector<bool>(entries.size())};
  size_t before = 0;
  do {
    before = found.size();
    result.level = of_one * static_cast<double>(std::max(before, size_t{1})) /
                   static_cast<double>(std::max(tested, size_t{1}));
    std::erase_if(
        found, [&](size_t i) { return !HasChanged(entries[i], result.level); });
  } while (found.size() < before);
  for (const size_t i : found) result.changed[i] = true;
  return result;
}

double DetectableGrowth(const Growth& sides, const GrowthLimit& limit,
                        double alpha, double power) {
  const double deviations = NormalQuantile(1 - power);
  const MeasuredSide base = AtLevel(sides.base, alpha);
  const MeasuredSide unchanged =
      Unchanged({.now = AtLevel(sides.now, alpha), .base = base});
  const auto finds = [&](double growth) {
    const double expected = limit.bytes + growth;
    const double spread =
        std::sqrt(Grown(unchanged, limit.ratio, expected).mean.variance +
                  limit.ratio * limit.ratio * base.mean.variance);
    const double unlucky = expected - deviations * spread;
    return IsBeyond({{Grown(unchanged, limit.ratio, unlucky), base}, limit},
                    alpha);
  };
  double upper =
      std::sqrt(std::max(base.mean.variance, unchanged.mean.variance)) +
      std::max(base.missed, unchanged.missed);
  if (upper == 0) return 0;
  while (upper < kHuge && !finds(upper)) upper *= 2;
  double lower = 0;
  for (int step = 0; step < kBisections; ++step) {
    const double middle = std::midpoint(lower, upper);
    (finds(middle) ? upper : lower) = middle;
  }
  return upper;
}

}  // namespace heapprof
