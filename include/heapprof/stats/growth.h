// SPDX-License-Identifier: Apache-2.0
//
// Tells growth from sampling noise.
//
// Let `now` and `base` be the true values of the two sides of a comparison. A
// limit of "q % + a" allows now <= r*base + a, with r = 1 + q/100. Let N and O
// be the estimates of now and base, l_N the lower one-sided bound of now, and
// u_O the upper one-sided bound of base (see gamma_bounds.h). Then the lower
// bound of now - r*base is
//
//   L = (N - r*O) - sqrt((N - l_N)^2 + r^2*(u_O - O)^2)
//
// (MOVER: Zou and Donner 2008). Growth beyond the limit is proven if L > a. The
// sides may have different sampling periods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/base/sides.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

struct GrowthLimit {
  double ratio = 1;  // 1.05 allows 5 %
  double bytes = 0;
};

// The value of one entry of a comparison (such as a function), or of the total,
// on one side: the mean of the runs (dumps) of that side.
struct MeasuredSide {
  Estimate mean = {};  // its variance is that of the mean
  // How many bytes of the mean one missed sample stands for: the sampling
  // period, divided by the number of runs. 0: nothing can be missed, because
  // every allocation was counted.
  double missed = 0;
};

using Growth = Sides<MeasuredSide>;

// Returns the mean of the runs of one side. For a run without the entry, pass
// {0, 0}. `period` is the sampling period, or 0 if every allocation was
// counted. `dispersion` is a factor of at least 1 for both the variance and
// `missed`; see OverDispersion().
MeasuredSide MeanOfRuns(std::span<const Estimate> runs, double period,
                        double dispersion);

// Returns by which factor the runs vary more than sampling explains: the
// observed variance between the runs of a side, divided by the variance of
// their sampling errors (Estimate::variance), pooled over all sides with three
// or more runs (quasi-Poisson: McCullagh and Nelder 1989, section 4.5). The
// result is at least 1, and 1 if no side has three runs. `sides` has a list for
// each side (of each entry): the estimates in its runs.
//
// Because a few runs may agree by chance, the ratio is multiplied by (t/z)^2,
// where t and z are the quantiles at 0.05 of Student's t and of the normal
// distribution. This makes it 1.7 times as large for two sides of three runs,
// and 1.1 times for two sides of ten. The probability that a test at level 0.05
// reports growth wrongly is then at most 0.05, whatever the true dispersion is.
//
// The test of the total uses the dispersion of the total, because a cause that
// makes a whole run larger hardly shows in a single entry. The tests of entries
// share one dispersion, pooled over the runs of those that vary alike (see
// run_variation.h): because there are many of these tests, the level of each is
// small, and a small level needs a precise dispersion. In a simulation with
// three runs and a dispersion of 4, tests of entries found 96 % of the leaks of
// 10 MB with the pooled dispersion, but only 39 % with the dispersion of the
// total.
double OverDispersion(std::span<const std::vector<Estimate>> sides);

// True if the variance between the runs of a side with this many is computed.
bool CanVary(size_t runs);

// Return one-sided bounds of now - ratio*base. The true value is below the
// lower bound with a probability of at most `alpha`, and above the upper bound
// with the same probability.
double LowerGrowthBound(const Growth& growth, double ratio, double alpha);
double UpperGrowthBound(const Growth& growth, double ratio, double alpha);

struct GrowthTest {
  Growth growth;
  GrowthLimit limit;
};

// Returns for each test whether it proves growth beyond the limit. The
// probability that even one of these proofs is wrong is at most `alpha` (Holm
// 1979).
std::vector<bool> FindGrowth(std::span<const GrowthTest> tests, double alpha);

// Returns the smallest growth beyond the limit, in bytes, that a test proves
// with the probability `power`, if the base is like that of `sides` and the new
// side is measured as there. `alpha` is the level of the test; for m tests,
// pass alpha/m. Assumes that the errors of both sides are normally distributed.
double DetectableGrowth(const Growth& sides, const GrowthLimit& limit,
                        double alpha, double power);

}  // namespace heapprof
