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

// The value of one entry, or of the total, on one side of a comparison: the
// mean of the runs of that side.
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

// Returns the mean of the runs of one side. A run without the entry is {0, 0}.
// `period` is the sampling period, 0 if every allocation was counted.
// `dispersion`, at least 1, is a factor that multiplies both the variance and
// `missed`.
MeasuredSide MeanOfRuns(std::span<const Estimate> runs, double period,
                        double dispersion);

// Returns how much more the runs differ than sampling explains. This is the
// variance between the runs of a side, divided by the variance that their
// estimates state, pooled over all sides with three or more runs
// (quasi-Poisson: McCullagh and Nelder 1989, section 4.5). The result is at
// least 1, and 1 if no side has three runs.
//
// Because a few runs may agree by chance, the ratio is multiplied by (t/z)^2,
// where t and z are the quantiles at 0.05 of Student's t and of the normal
// distribution. This makes it 1.7 times as large for two sides of three runs,
// and 1.1 times for two sides of ten. A test at level 0.05 then reports growth
// wrongly with at most this probability, whatever the true dispersion is.
//
// The test of the total uses the dispersion of the total, because a cause that
// makes a whole run larger hardly shows in a single entry. The tests of entries
// use one dispersion, pooled over the runs of all entries, because there are
// many such tests: their levels are small, and for these the dispersion must be
// known precisely. In a simulation with three runs and a dispersion of 4, tests
// of entries found 96 % of the leaks of 10 MB with the pooled dispersion, but
// 39 % with that of the total.
double OverDispersion(std::span<const std::vector<Estimate>> sides);

// Return one-sided bounds of now - ratio*base. The probability that the true
// value is below the lower bound is at most `alpha`, and so is the probability
// that it is above the upper bound.
double LowerGrowthBound(const Growth& growth, double ratio, double alpha);
double UpperGrowthBound(const Growth& growth, double ratio, double alpha);

struct GrowthTest {
  Growth growth;
  GrowthLimit limit;
};

// Returns for each test whether the entry grew beyond its limit. The
// probability that any entry is reported wrongly is at most `alpha` (Holm
// 1979).
std::vector<bool> FindGrowth(std::span<const GrowthTest> tests, double alpha);

// Returns the smallest growth beyond the limit, in bytes, that a test finds in
// at least the fraction `power` of all comparisons with a base like `base`.
// `alpha` is the level of the test; for m tests, pass alpha/m. Assumes that the
// errors of both sides are normally distributed.
double DetectableGrowth(const MeasuredSide& base, const GrowthLimit& limit,
                        double alpha, double power);

}  // namespace heapprof
