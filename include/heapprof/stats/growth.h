// SPDX-License-Identifier: Apache-2.0
//
// Tells growth from sampling noise.
//
// A limit of "q % + a" allows now <= r*base + a, with r = 1 + q/100. Let N and
// O be the estimates of now and base, l_N the lower one-sided bound of N, and
// u_O the upper one of O (see interval.h). Then the lower bound of N - r*O is
//
//   L = (N - r*O) - sqrt((N - l_N)^2 + r^2*(u_O - O)^2)
//
// (MOVER: Zou and Donner 2008). Growth beyond the limit is proven if L > a. The
// sides may have different sampling periods.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/stats/unbias.h"

namespace heapprof {

struct GrowthLimit {
  double ratio = 1;  // 1.05 allows 5 %
  double bytes = 0;
};

// What one side of a comparison holds: the mean of its runs.
struct MeasuredSide {
  Estimate mean;  // its variance is that of the mean
  // One sample that was missed stands for this many bytes of the mean: the
  // sampling period, divided by the number of runs. 0: nothing can be missed,
  // because every allocation was counted.
  double missed = 0;
};

struct Growth {
  MeasuredSide now;
  MeasuredSide base;
};

// The mean of the runs of one side; a run without the entry is {0, 0}. `period`
// is 0 if every allocation was counted. `dispersion`, at least 1, multiplies
// the variance, and `missed` with it.
MeasuredSide MeanOfRuns(std::span<const Estimate> runs, double period,
                        double dispersion);

// By how much runs differ more than sampling explains: the variance between the
// runs of a side, divided by the one that their estimates state, pooled over
// all sides with three or more runs (quasi-Poisson: McCullagh and Nelder 1989,
// section 4.5). At least 1; 1 if no side has three runs.
//
// Few runs may happen to agree. The result therefore is larger than the ratio,
// by the square of Student's t over the normal quantile at 0.05: 1.7 times for
// two sides of three runs, 1.1 times for two of ten. A test at this level then
// keeps it for any dispersion.
//
// The total needs the dispersion of its own runs, because what makes a whole
// run larger hardly shows in an entry. Many entries need one that is pooled
// over the runs of all: it is precise enough for their small levels. In a
// simulation with three runs and a dispersion of 4, it found 96 % of the leaks
// of 10 MB, and that of the total 39 %.
double OverDispersion(std::span<const std::vector<Estimate>> sides);

// One-sided bounds of now - ratio*base: the true value is below the lower one,
// or above the upper one, with a probability of at most `alpha`.
double LowerGrowthBound(const Growth& growth, double ratio, double alpha);
double UpperGrowthBound(const Growth& growth, double ratio, double alpha);

struct GrowthTest {
  Growth growth;
  GrowthLimit limit;
};

// Which entries grew beyond their limits. The probability that any entry is
// reported wrongly is at most `alpha` (Holm 1979).
std::vector<bool> FindGrowth(std::span<const GrowthTest> tests, double alpha);

// The smallest growth of a side like `base` that a test at level `alpha` (with
// m entries: alpha/m) finds in at least `power` of all comparisons, in bytes
// beyond the limit. The errors of both sides are taken for normal.
double DetectableGrowth(const MeasuredSide& base, const GrowthLimit& limit,
                        double alpha, double power);

}  // namespace heapprof
