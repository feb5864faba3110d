// SPDX-License-Identifier: Apache-2.0
//
// Error bars: the bounds of the true value, given an estimate and the variance
// of its sampling error.
#pragma once

#include <optional>

#include "heapprof/stats/unbias.h"

namespace heapprof {

struct Interval {
  double lower = 0;
  double upper = 0;
};

// The two-sided interval that contains the true value with probability
// `confidence` (between 0 and 1). An estimate S with variance V is treated as a
// Poisson count of n = S^2/V samples, each worth c = V/S; the bounds are c
// times the gamma quantiles at n and n + 1, as for a count. With few samples it
// is far from symmetric: one sample of 1 MiB stands for 0.03 to 5.6 MiB.
//
// If the variance or the value is 0, both bounds equal the estimate.
Interval ConfidenceInterval(const Estimate& estimate, double confidence);

// An estimate, or how much it grew since an earlier one.
struct Change {
  double value = 0;  // now - base
  Estimate now;
  std::optional<Estimate> base;  // none: nothing was subtracted
};

// The interval of a change. For a difference it combines the bounds of both
// sides, whose errors are independent (MOVER, the method of variance estimates
// recovery: Zou and Donner 2008): the square of the lower part is the sum of
// the squares of the lower part of `now` and the upper part of `base`. A side
// without samples may still hold something: up to -ln((1 - confidence) / 2)
// samples of `period` bytes.
Interval ConfidenceInterval(const Change& change, double confidence,
                            double period);

}  // namespace heapprof
