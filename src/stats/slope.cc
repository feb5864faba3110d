// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/slope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

#include "heapprof/stats/sum.h"
#include "stats/quantiles.h"

namespace heapprof {
namespace {

using Numbers = std::vector<double>;

// Tests of slopes are at about this level.
constexpr double kLevelOfSlopes = 0.05;

// A straight line by least squares.
struct Line {
  double mean_at = 0;
  double mean = 0;
  double slope = 0;
  Numbers factors = {};  // the slope is the sum of factors[i]*y[i]

  double At(double at) const { return mean + slope * (at - mean_at); }
};

Line FitLine(std::span<const double> at, std::span<const double> values,
             std::span<const double> weights) {
  Line line;
  const double sum = std::reduce(weights.begin(), weights.end());
  for (size_t i = 0; i < at.size(); ++i) {
    line.mean_at += weights[i] / sum * at[i];
    line.mean += weights[i] / sum * values[i];
  }
  double spread = 0;
  for (size_t i = 0; i < at.size(); ++i)
    spread += weights[i] * std::pow(at[i] - line.mean_at, 2);
  for (size_t i = 0; i < at.size(); ++i) {
    line.factors.push_back(
        spread > 0 ? weights[i] * (at[i] - line.mean_at) / spread : 0);
    line.slope += line.factors[i] * values[i];
  }
  return line;
}

// The covariance of the errors at lifetime t is
// exp(-|x_i - x_j|/t) * (min(V_i ... V_j) + extra).
class ErrorModel {
 public:
  ErrorModel(std::span<const double> at, std::span<const double> variances,
             double extra)
      : at_(at), variances_(variances), extra_(extra) {}

  // The shortest lifetime at which the expected sum of squares of the jumps
  // from point to point is at most `jumps`.
  double ShortestLifetime(double jumps) const {
    for (const double lifetime : Lifetimes())
      if (ExpectedJumps(lifetime) <= jumps) return lifetime;
    // Far longer than the series: a share of 1/lifetime is replaced per unit.
    double piled = 0, replaced = 0;
    for (size_t i = 1; i < at_.size(); ++i) {
      piled += std::abs(variances_[i] - variances_[i - 1]);
      replaced += 2 * (at_[i] - at_[i - 1]) *
                  (std::min(variances_[i - 1], variances_[i]) + extra_);
    }
    return jumps > piled ? replaced / (jumps - piled) : kForever;
  }

  // The largest variance of sum factors[i]*y[i] for such a lifetime or a longer
  // one.
  double LargestVariance(std::span<const double> factors,
                         double shortest) const {
    const Cells cells = CellsOf(factors);
    double largest =
        std::max(VarianceAt(kForever, cells), VarianceAt(shortest, cells));
    for (const double lifetime : Lifetimes())
      if (lifetime > shortest)
        largest = std::max(largest, VarianceAt(lifetime, cells));
    return largest;
  }

 private:
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  // From memory that is new in each dump to such that nearly stays.
  Numbers Lifetimes() const {
    const double span = at_.back() - at_.front();
    Numbers lifetimes;
    for (double lifetime = 8 * span;
         lifetime > span / (4.0 * static_cast<double>(at_.size()));
         lifetime /= 2)
      lifetimes.push_back(lifetime);
    std::ranges::reverse(lifetimes);
    return lifetimes;
  }

  // Neighbouring points, whose errors are taken for one. With many points, this
  // saves most of the time.
  struct Cells {
    Numbers at, variances, factors;
  };

  Cells CellsOf(std::span<const double> factors) const {
    constexpr size_t kMost = 64;
    const size_t count = std::min(kMost, at_.size());
    Cells cells;
    for (size_t cell = 0; cell < count; ++cell) {
      const size_t first = cell * at_.size() / count;
      const size_t last = (cell + 1) * at_.size() / count;
      const auto mean = [&](std::span<const double> of) {
        return std::reduce(of.begin() + static_cast<ptrdiff_t>(first),
                           of.begin() + static_cast<ptrdiff_t>(last)) /
               static_cast<double>(last - first);
      };
      cells.at.push_back(mean(at_));
      cells.variances.push_back(mean(variances_));
      cells.factors.push_back(mean(factors) *
                              static_cast<double>(last - first));
    }
    return cells;
  }

  double VarianceAt(double lifetime, const Cells& cells) const {
    double sum = 0;
    for (size_t i = 0; i < cells.at.size(); ++i) {
      double common = cells.variances[i];
      sum += cells.factors[i] * cells.factors[i] * (common + extra_);
      for (size_t j = i + 1; j < cells.at.size(); ++j) {
        common = std::min(common, cells.variances[j]);
        sum += 2 * cells.factors[i] * cells.factors[j] * (common + extra_) *
               std::exp((cells.at[i] - cells.at[j]) / lifetime);
      }
    }
    return std::max(0.0, sum);
  }

  double ExpectedJumps(double lifetime) const {
    double sum = 0;
    for (size_t i = 1; i < at_.size(); ++i) {
      const double stays = std::exp((at_[i - 1] - at_[i]) / lifetime);
      sum += variances_[i - 1] + variances_[i] + 2 * extra_ -
             2 * stays * (std::min(variances_[i - 1], variances_[i]) + extra_);
    }
    return sum;
  }

  std::span<const double> at_, variances_;
  double extra_;
};

class SlopeFit {
 public:
  explicit SlopeFit(std::span<const SeriesPoint> points) {
    for (const SeriesPoint& point : points) {
      missed_ = std::max(missed_, point.missed);
      at_.push_back(point.at);
      values_.push_back(point.bytes.value);
      variances_.push_back(std::max(0.0, point.bytes.variance));
    }
  }

  Slope Fit(double lifetime) {
    const Line line = FitLine(at_, values_, Weights());
    Slope slope;
    auto& [rise, fall] = slope.parts;
    double factor = 0, largest = 0;
    for (size_t i = at_.size() - 1; i > 0; --i) {
      factor = std::max(0.0, factor + line.factors[i]);
      largest = std::max(largest, factor);
      const double step = factor * (values_[i] - values_[i - 1]);
      (step > 0 ? rise : fall).mean.value += std::abs(step);
    }
    rise.missed = fall.missed = missed_ * largest;
    // Equal to the slope of the line but for rounding errors, of which there
    // are none if nothing changes.
    slope.value = Difference(rise.mean.value, fall.mean.value);
    const double moved = rise.mean.value + fall.mean.value;
    if (moved == 0) return slope;
    const ErrorModel model(at_, variances_, extra_);
    double shortest = model.ShortestLifetime(Jumps(line));
    // What sampling does not explain may live shorter.
    if (extra_ == 0) shortest = std::max(shortest, lifetime);
    slope.variance = model.LargestVariance(line.factors, shortest);
    rise.mean.variance = slope.variance * rise.mean.value / moved;
    fall.mean.variance = slope.variance * fall.mean.value / moved;
    return slope;
  }

  double ShortestLifetime() const {
    const Line line = FitLine(at_, values_, Numbers(at_.size(), 1));
    return ErrorModel(at_, variances_, 0).ShortestLifetime(Jumps(line));
  }

 private:
  // Sets `extra_`, too.
  Numbers Weights() {
    const Numbers equal(at_.size(), 1);
    extra_ = Unexplained(FitLine(at_, values_, equal));
    const Line trend = FitLine(at_, variances_, equal);
    // A line through variances may cross 0, where weights would be infinite.
    constexpr double kLeastShare = 0.1;
    Numbers weights;
    for (const double at : at_) {
      const double variance =
          std::max(trend.At(at), kLeastShare * trend.mean) + extra_;
      weights.push_back(trend.mean + extra_ > 0 ? 1 / variance : 1);
    }
    return weights;
  }

  // s^2, see slope.h.
  double Unexplained(const Line& line) const {
    const auto count = static_cast<double>(at_.size());
    const double degrees = count - 2;
    if (degrees <= 0) return 0;
    double spread = 0;
    for (const double at : at_) spread += std::pow(at - line.mean_at, 2);
    double squares = 0, explained = 0;
    for (size_t i = 0; i < at_.size(); ++i) {
      const double leverage =
          1 / count + std::pow(at_[i] - line.mean_at, 2) / spread;
      squares += std::pow(Difference(values_[i], line.At(at_[i])), 2);
      explained += variances_[i] * std::max(0.0, 1 - leverage);
    }
    return std::max(0.0, squares - explained) / degrees *
           StudentWidening(degrees, kLevelOfSlopes);
  }

  // An upper bound of the expected sum of squares of the jumps around the line.
  double Jumps(const Line& line) const {
    constexpr double kBelow = 0.05;
    const auto degrees = static_cast<double>(at_.size()) - 2;
    if (degrees <= 0) return std::numeric_limits<double>::infinity();
    double squares = 0;
    for (size_t i = 1; i < at_.size(); ++i)
      squares += std::pow(
          values_[i] - values_[i - 1] - line.slope * (at_[i] - at_[i - 1]), 2);
    return squares * degrees / (2 * LowerGammaQuantile(degrees / 2, kBelow));
  }

  Numbers at_, values_, variances_;
  double missed_ = 0;
  double extra_ = 0;
};

bool HasSlope(std::span<const SeriesPoint> points) {
  return !points.empty() && points.front().at < points.back().at;
}

}  // namespace

double ShortestLifetime(std::span<const SeriesPoint> points) {
  return HasSlope(points) ? SlopeFit(points).ShortestLifetime() : 0;
}

Slope FitSlope(std::span<const SeriesPoint> points, double lifetime) {
  return HasSlope(points) ? SlopeFit(points).Fit(lifetime) : Slope();
}

double LowerBound(const Slope& slope, double alpha) {
  return std::min(
      LowerGrowthBound(slope.parts, 1, alpha),
      slope.value - NormalQuantile(alpha) * std::sqrt(slope.variance));
}

double UpperBound(const Slope& slope, double alpha) {
  return std::max(
      UpperGrowthBound(slope.parts, 1, alpha),
      slope.value + NormalQuantile(alpha) * std::sqrt(slope.variance));
}

Interval ConfidenceInterval(const Slope& slope, double confidence) {
  const double tail = (1 - confidence) / 2;
  return {LowerBound(slope, tail), UpperBound(slope, tail)};
}

}  // namespace heapprof
