// SPDX-License-Identifier: Apache-2.0
//
// Error bars: between which bounds the truth lies, given an estimate and the
// variance of its sampling error.
#pragma once

#include <optional>

#include "heapprof/stats/unbias.h"

namespace heapprof {

struct Interval {
  double lower = 0;
  double upper = 0;
};

// The two-sided interval that covers the truth with probability `confidence`
// (between 0 and 1). An estimate S with variance V is treated as a Poisson
// count of n = S^2/V samples, each worth c = V/S; the bounds are c times the
// gamma quantiles at n and n + 1, as for a count. With few samples that is far
// from symmetric: one sample of 1 MiB stands for 0.03 to 5.6 MiB.
//
// Without variance or value the bounds are the estimate itself.
Interval ConfidenceInterval(const Estimate& estimate, double confidence);

// What something came to: an estimate, or by how much it grew since another.
struct Change {
  double value = 0;  // now - base
  Estimate now;
  std::optional<Estimate> base;  // none: nothing was subtracted
};

// The interval of a change. That of a difference is made of the bounds of its
// sides, which err independently (MOVER, the method of variance estimates
// recovery: Zou and Donner 2008): the square of its lower part is the sum of
// the squares of the lower part of `now` and the upper part of `base`. A side
// without samples may still hold something: -ln((1 - confidence) / 2) samples
// of `period` bytes.
Interval ConfidenceInterval(const Change& change, double confidence,
                            double period);

}  // namespace heapprof
