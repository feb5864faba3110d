// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/trend.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heapprof/stats/interval.h"
#include "stats/quantiles.h"

namespace heapprof {
namespace {

std::span<const SeriesPoint> LastHalf(std::span<const SeriesPoint> points) {
  return points.subspan(points.size() / 2);
}

double PairsOf(size_t points) {
  const auto count = static_cast<double>(points);
  return std::max(1.0, count * (count - 1) / 2);
}

// The large moves of a value: a rise or a fall counts if it is at least half of
// the whole range and sampling noise does not explain it. The ends of a move
// are any two of the points, so the more points there are, the larger are the
// moves that occur by chance.
class Swings {
 public:
  Swings(std::span<const SeriesPoint> points, double alpha)
      : deviations_(NormalQuantile(alpha / PairsOf(points.size()))) {
    if (points.empty()) return;
    const auto [low, high] = std::ranges::minmax(
        points, {}, [](const SeriesPoint& point) { return point.bytes.value; });
    least_ = (high.bytes.value - low.bytes.value) / 2;
    low_ = high_ = points.front().bytes;
    for (const SeriesPoint& point : points) Add(point.bytes);
    ends_higher_ = IsMove(points.front().bytes, points.back().bytes,
                          NormalQuantile(alpha));
  }

  size_t rises() const { return rises_; }
  size_t falls() const { return falls_; }
  bool ends_with_fall() const { return direction_ < 0; }
  // True if the last value is above the first one, and nothing fell between.
  bool only_rises() const { return falls_ == 0 && ends_higher_; }

 private:
  bool IsMove(const Estimate& from, const Estimate& to,
              double deviations) const {
    const double size = to.value - from.value;
    return size > 0 && size >= least_ &&
           size > deviations * std::sqrt(from.variance + to.variance);
  }

  // Moves are found from the lowest or highest value since the last move.
  void Add(const Estimate& value) {
    if (value.value < low_.value) low_ = value;
    if (value.value > high_.value) high_ = value;
    if (direction_ <= 0 && IsMove(low_, value, deviations_)) {
      ++rises_;
      direction_ = 1;
      high_ = value;
    } else if (direction_ >= 0 && IsMove(value, high_, deviations_)) {
      ++falls_;
      direction_ = -1;
      low_ = value;
    }
  }

  double deviations_;
  double least_ = 0;
  int direction_ = 0;
  Estimate low_ = {}, high_ = {};
  size_t rises_ = 0, falls_ = 0;
  bool ends_higher_ = false;
};

// True if the last value is at most half of the highest.
bool EndsLow(std::span<const SeriesPoint> points) {
  const auto value = [](const SeriesPoint& point) { return point.bytes.value; };
  return !points.empty() &&
         value(points.back()) <=
             std::ranges::max(points, {}, value).bytes.value / 2;
}

// True if few points are in the upper half of the range.
bool IsShort(std::span<const SeriesPoint> points) {
  constexpr size_t kShare = 4;
  const auto value = [](const SeriesPoint& point) { return point.bytes.value; };
  const auto [low, high] = std::ranges::minmax(points, {}, value);
  const double middle = std::midpoint(value(low), value(high));
  const auto above = std::ranges::count_if(
      points, [&](const SeriesPoint& point) { return value(point) > middle; });
  return static_cast<size_t>(above) <=
         std::max<size_t>(1, points.size() / kShare);
}

// Below this fraction of its slope, a value hardly grows: exact values may
// prove the last few bytes of a cache that fills.
constexpr double kHardly = 0.25;

// True if it is proven that a growing value hardly grows in the last quarter,
// and it has never been so before for so long. What grows in steps has.
bool HasStopped(std::span<const SeriesPoint> points, const Slope& all,
                double alpha) {
  const size_t quarter = points.size() / 4;
  if (quarter < kFewestPoints ||
      UpperBound(FitSlope(points.last(quarter)), alpha) >= kHardly * all.value)
    return false;
  const std::span earlier = points.first(points.size() - quarter);
  for (size_t i = 0; i + quarter <= earlier.size(); ++i)
    if (FitSlope(earlier.subspan(i, quarter)).value < kHardly * all.value)
      return false;
  return true;
}

}  // namespace

std::string_view TrendLabelName(TrendLabel label) {
  constexpr std::string_view kNames[] = {"growing", "unclear",  "plateaued",
                                         "steady",  "sawtooth", "spike",
                                         "dropped", "shrinking"};
  return kNames[static_cast<size_t>(label)];
}

double Trend::LowerBound(double alpha) const {
  return std::min({heapprof::LowerBound(all, alpha),
                   heapprof::LowerBound(last_half, alpha),
                   heapprof::LowerBound(without_last, alpha)});
}

double Trend::UpperBound(double alpha) const {
  return std::max({heapprof::UpperBound(all, alpha),
                   heapprof::UpperBound(last_half, alpha),
                   heapprof::UpperBound(without_last, alpha)});
}

Trend FitTrend(std::span<const SeriesPoint> points) {
  const std::span half = LastHalf(points);
  const double lifetime = ShortestLifetime(points);
  return {FitSlope(points), FitSlope(half, lifetime),
          FitSlope(half.first(half.size() - !half.empty()), lifetime)};
}

TrendLabel LabelTrend(std::span<const SeriesPoint> points, const Trend& trend,
                      double alpha) {
  const bool can_tell = points.size() >= kFewestPoints;
  const bool has_slowed =
      UpperBound(trend.last_half, alpha) < kHardly * trend.all.value;
  if (can_tell && trend.LowerBound(alpha) > 0 && !has_slowed)
    return HasStopped(points, trend.all, alpha) ? TrendLabel::kPlateaued
                                                : TrendLabel::kGrowing;
  if (can_tell && trend.UpperBound(alpha) < 0) return TrendLabel::kShrinking;
  const Swings swings(points, alpha);
  if (swings.falls() > 1) return TrendLabel::kSawtooth;
  if (swings.falls() == 1 && swings.rises() == 1 && IsShort(points))
    return TrendLabel::kSpike;
  // A line through all points fits badly if most of the growth comes early or
  // late, so that its slope may not be proven.
  if (LowerBound(trend.all, alpha) <= 0 && !(can_tell && swings.only_rises()))
    return swings.falls() == 1 && swings.ends_with_fall() && EndsLow(points)
               ? TrendLabel::kDropped
               : TrendLabel::kSteady;
  // A half with few samples may show less than the growth that goes on.
  return can_tell && trend.last_half.value < trend.all.value / 2 &&
                 ConfidenceInterval(trend.last_half, kConfidence).upper <
                     trend.all.value
             ? TrendLabel::kPlateaued
             : TrendLabel::kUnclear;
}

}  // namespace heapprof
