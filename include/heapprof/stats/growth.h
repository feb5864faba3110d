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
#include <limits>
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
  Estimate mean = {};  // its variance is that of the sampling error of the mean
  // How many bytes of the mean one missed sample stands for: the sampling
  // period, divided by the number of runs. 0: nothing can be missed, because
  // every allocation was counted.
  double missed = 0;
  // The variance of the mean, measured between runs with so many degrees of
  // freedom; see run_variation.h. If it is larger than that of the sampling
  // error, it takes its place.
  double between_runs = 0;
  double degrees = std::numeric_limits<double>::infinity();

  // Adds what another entry of this side holds. Their errors are independent.
  MeasuredSide& operator+=(const MeasuredSide& other);
};

using Growth = Sides<MeasuredSide>;

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

// Returns false if a test cannot prove growth beyond the limit at this level,
// not even if all bytes of both sides were on the new side. Leave such a test
// out of FindGrowth(), where it would take power from the others.
bool MayProveGrowth(const GrowthTest& test, double alpha);

// Returns whether an entry is proven to have grown or shrunk. An unchanged
// entry seems to have grown with a probability of at most `level`, and seems to
// have shrunk with the same probability.
bool HasChanged(const Growth& entry, double level);

struct FoundChanges {
  std::vector<bool> changed = {};  // by entry
  double level = 0;                // that of HasChanged() for all entries
};

// Finds the entries that have changed. Of what it finds, a share of at most
// `alpha` has not, on average; if nothing has changed, it finds nothing with a
// probability of at least 1 - `alpha` (Benjamini and Hochberg 1995).
FoundChanges FindChanges(std::span<const Growth> entries, double alpha);

// Returns the smallest growth beyond the limit, in bytes, that a test proves
// with the probability `power`, if the base is like that of `sides` and the new
// side is measured as there. `alpha` is the level of the test; for m tests,
// pass alpha/m. Assumes that the errors of both sides are normally distributed.
double DetectableGrowth(const Growth& sides, const GrowthLimit& limit,
                        double alpha, double power);

}  // namespace heapprof
