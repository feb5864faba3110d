// SPDX-License-Identifier: Apache-2.0
//
// How fast a value grows over a series of dumps of one process.
//
// The slope is that of weighted least squares:
//
//   b = sum a_i*y_i,  a_i = w_i*(x_i - m) / sum w_i*(x_i - m)^2,
//
// where m is the weighted mean of the x_i. The weights are 1/(v_i + s^2). v_i
// is a straight line through the variances of the points, and not the variance
// of the point itself: an estimate that is too small by chance also has too
// small a variance, so that its own weight would be too large and the slope
// biased. s^2 is the variance around the line that sampling does not explain,
// by the method of moments (DerSimonian and Laird 1986), from the residuals of
// unweighted least squares:
//
//   s^2 = max(0, sum r_i^2 - sum V_i*(1 - h_ii)) / (n - 2),
//
// times the widening of StudentWidening(n - 2), because few points may be near
// the line by chance.
//
// The errors of the points are not independent. An object that lives in two
// dumps is sampled in both or in neither, so it adds the same error to both.
// Memory that stays therefore shifts the whole line and adds nothing to the
// error of the slope. Memory that piles up makes the errors a random walk: more
// dumps hardly make the slope more precise. Only memory that is replaced
// between two dumps has independent errors. A dump does not say which memory is
// which. The model is a covariance
//
//   C_ij = exp(-|x_i - x_j|/t) * (min(V_i ... V_j) + s^2)
//
// with an unknown lifetime t. At most the minimum of the variances between two
// dumps can belong to memory that is in both. The variance of b is the largest
// a'Ca for any t, from memory that is new in each dump to memory that stays.
// Lifetimes are left out if they would make the value jump more from dump to
// dump than it does. The shortest one that is left may be far longer than the
// series: of a large cache of which little is replaced, the errors of the dumps
// are nearly equal, but their differences are all that the slope is made of.
//
// The bounds of b are the wider ones of two pairs. One pair is that of a normal
// error. It is right for memory that is replaced, whose errors are those of
// large sums. With A_i = a_i + ... + a_n, all of which are at least 0, b is
// also the difference between the weighted increases, sum A_i*(y_i - y_(i-1)),
// and the weighted decreases. The other pair is that of a difference
// (growth.h). It is right for memory that piles up in a few samples, where
// errors are far from normal and something may have been missed.
#pragma once

#include <span>

#include "heapprof/stats/growth.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

struct SeriesPoint {
  double at = 0;  // time, or whatever the slope refers to
  Estimate bytes = {};
  // How many bytes one missed sample stands for; see MeasuredSide.
  double missed = 0;
};

struct Slope {
  double value = 0;     // bytes per unit of SeriesPoint::at
  double variance = 0;  // of its error
  // The increases as `now` and the decreases as `base`: their difference is
  // `value`.
  Growth parts = {};
};

// `points` are in ascending order of SeriesPoint::at.

// Returns the shortest lifetime t of memory that does not make the value jump
// more from dump to dump than it does.
double ShortestLifetime(std::span<const SeriesPoint> points);

// The slope is 0 if there are fewer than two different places. Few points say
// little about how long memory lives. If they are part of a series, `lifetime`
// is the ShortestLifetime() of all its points.
Slope FitSlope(std::span<const SeriesPoint> points, double lifetime = 0);

// Return one-sided bounds of the slope. Each is wrong with a probability of at
// most `alpha`.
double LowerBound(const Slope& slope, double alpha);
double UpperBound(const Slope& slope, double alpha);

// Returns the interval that contains the true slope with probability
// `confidence`.
Interval ConfidenceInterval(const Slope& slope, double confidence);

}  // namespace heapprof
