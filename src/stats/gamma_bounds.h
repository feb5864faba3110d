// SPDX-License-Identifier: Apache-2.0
//
// One-sided bounds of the true value behind an estimate S with variance V: the
// gamma interval for weighted sums of Poisson counts (Fay and Feuer 1997). The
// lower bound is a quantile of the gamma distribution with mean S and variance
// V. The upper bound is a quantile of the gamma distribution with mean S + w
// and variance V + w^2, where w is how much one more sample would add to S. If
// all samples add w, these are the usual bounds of a Poisson count n = S^2/V:
// the gamma quantiles at n and n + 1, times w.
//
// src/report/assets/html/error_model.js does the same on the page;
// tests/assets/agreement/filters.mjs compares the intervals.
#pragma once

#include "heapprof/stats/growth.h"

namespace heapprof {

// Returns the variance that stands for V in the bounds at the level `alpha`:
// that of the sampling error, or what was measured between runs if that is
// larger. The latter is multiplied by the square of how much larger the
// quantile of Student's t distribution is than that of the normal one.
double VarianceOf(const MeasuredSide& side, double alpha);

// Returns a bound below which the true value lies with a probability of at most
// `alpha`.
double LowerBound(const MeasuredSide& side, double alpha);

// Returns a bound above which the true value lies with a probability of at most
// `alpha`. `missed` is the most that one more sample may add (w above), or 0 if
// that is unknown. It is needed because V does not show what was missed: a
// large object is nearly always sampled and has a small variance, while many
// small objects beside it may have been missed. Without any sample, the bound
// is -ln(alpha) times `missed`.
double UpperBound(const MeasuredSide& side, double alpha);

}  // namespace heapprof
