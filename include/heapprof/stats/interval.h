// SPDX-License-Identifier: Apache-2.0
//
// Error bars: the bounds of the true value, given an estimate and the variance
// of its sampling error.
#pragma once

#include "heapprof/stats/growth.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

// The confidence of the intervals in all reports, and the default of checks.
inline constexpr double kConfidence = 0.95;

struct Interval {
  double lower = 0;
  double upper = 0;

  bool Contains(double value) const { return lower <= value && value <= upper; }
};

// Returns the two-sided interval that contains the true value with probability
// `confidence` (between 0 and 1). An estimate S with variance V is treated as a
// Poisson count of n = S^2/V samples, each of which stands for c = V/S bytes.
// The bounds are those of any Poisson count, the gamma quantiles at n and
// n + 1, multiplied by c. With few samples, the interval is far from symmetric:
// at 95 %, one sample of 1 MiB stands for 0.03 to 5.6 MiB.
//
// The upper bound also allows for objects that were not sampled: it is the
// gamma quantile with one more sample, which stands for `missed` bytes (Fay and
// Feuer 1997). The variance alone does not show how many small objects were
// missed if most bytes are in large objects: these are nearly always sampled
// and therefore have small variances. The upper bound of a side without samples
// is -ln((1 - confidence) / 2) * `missed` bytes.
//
// If the variance or the value is 0, and nothing can be missed, both bounds
// equal the estimate.
Interval ConfidenceInterval(const MeasuredSide& side, double confidence);

// Returns how many standard deviations a normal variable exceeds its mean by
// with the probability `tail`.
double NormalDeviations(double tail);

// Returns by which factor intervals with this probability beyond each bound
// multiply a variance between runs; see MeasuredSide::degrees.
double FactorOfVariance(double degrees, double tail);

// Returns the interval of now - base. It combines the intervals of both sides,
// whose errors are independent, by the method MOVER; see growth.h.
Interval ConfidenceInterval(const Growth& growth, double confidence);

// Returns the interval of the share part/(part + rest), between 0 and 1. The
// errors of `part` and `rest` are independent, unlike those of a part and its
// total. It combines, by MOVER as well, the shares at the bounds of each. The
// estimates must not be negative, and not both 0.
Interval ShareInterval(const MeasuredSide& part, const MeasuredSide& rest,
                       double confidence);

}  // namespace heapprof
