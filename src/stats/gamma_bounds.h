// SPDX-License-Identifier: Apache-2.0
//
// One-sided bounds of the true value behind an estimate S with variance V: the
// gamma interval for weighted sums of Poisson counts (Fay and Feuer 1997). The
// lower bound is the quantile of the gamma distribution with mean S and
// variance V. The upper one is that with mean S + w and variance V + w^2, where
// w is the worth of one more sample. If all samples are worth w, these are the
// bounds of a Poisson count of n = S^2/V, at n and n + 1.
#pragma once

#include "heapprof/stats/unbias.h"

namespace heapprof {

// The true value is below this with a probability of at most `alpha`.
double LowerBound(const Estimate& estimate, double alpha);

// The true value is above this with a probability of at most `alpha`. `missed`
// is the most that a sample may be worth, 0 if it is unknown. Where a large
// object was sampled, which happens nearly always, many small ones may have
// been missed although the variance is small. Without any sample, the bound is
// -ln(alpha) times `missed`.
double UpperBound(const Estimate& estimate, double missed, double alpha);

}  // namespace heapprof
