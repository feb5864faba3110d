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
// Poisson count of n = S^2/V samples, each of which stands for c = V/S bytes.
// The bounds are those of any Poisson count, the gamma quantiles at n and
// n + 1, multiplied by c. With few samples, the interval is far from symmetric:
// at 95 %, one sample of 1 MiB stands for 0.03 to 5.6 MiB.
//
// If the variance or the value is 0, both bounds equal the estimate.
Interval ConfidenceInterval(const Estimate& estimate, double confidence);

// Either one estimate, or the difference between two (`now` and `base`).
struct Change {
  double value = 0;  // now - base, or now if there is no base
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
// is the gamma quantile with one more sample, which stands for `period` bytes
// (Fay and Feuer 1997). The variance alone does not show how many small objects
// were missed if most bytes are in large objects: these are nearly always
// sampled and therefore have small variances. The upper bound of a side without
// samples is -ln((1 - confidence) / 2) * `period` bytes. `period` is the
// sampling period.
Interval ConfidenceInterval(const Change& change, double confidence,
                            double period);

}  // namespace heapprof
