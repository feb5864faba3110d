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

// Returns the two-sided interval that contains the true value with probability
// `confidence` (between 0 and 1). An estimate S with variance V is treated as a
// Poisson count of n = S^2/V samples, each worth c = V/S. As for any Poisson
// count, the bounds are gamma quantiles at n and n + 1, here times c. With few
// samples, the interval is far from symmetric: at 95 %, one sample of 1 MiB
// stands for 0.03 to 5.6 MiB.
//
// If the variance or the value is 0, both bounds equal the estimate.
Interval ConfidenceInterval(const Estimate& estimate, double confidence);

// An estimate, or how much it grew since an earlier one.
struct Change {
  double value = 0;  // now - base
  Estimate now = {};
  std::optional<Estimate> base = {};  // none: nothing was subtracted
};

// Returns the interval of a change. Without a base, it is the interval of
// `now`. Otherwise, it combines the intervals of `now` and `base`, whose errors
// are independent, by the method MOVER (Zou and Donner 2008):
//   lower = value - sqrt((now - lower of now)^2 + (upper of base - base)^2)
//   upper = value + sqrt((upper of now - now)^2 + (base - lower of base)^2)
//
// The upper bound of a side also allows for objects that were not sampled: it
// is the gamma quantile with one more sample, worth `period` bytes (Fay and
// Feuer 1997). This matters beside large objects, which are nearly always
// sampled and therefore have small variances. A side without samples may still
// hold up to -ln((1 - confidence) / 2) samples of `period` bytes.
Interval ConfidenceInterval(const Change& change, double confidence,
                            double period);

}  // namespace heapprof
