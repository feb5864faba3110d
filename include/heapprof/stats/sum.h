// SPDX-License-Identifier: Apache-2.0
//
// Sums whose terms may cancel.
#pragma once

#include <cmath>

#include "heapprof/base/sides.h"
#include "heapprof/stats/unbias.h"

namespace heapprof {

// True if `value`, a sum, is zero except for rounding errors. `size` is the sum
// of the absolute values of its terms.
inline bool IsRoundingError(double value, double size) {
  constexpr double kRoundingShare = 1e-10;
  return std::abs(value) <= kRoundingShare * size;
}

// Returns a - b; exactly 0 if that is only a rounding error.
inline double Difference(double a, double b) {
  const double difference = a - b;
  return IsRoundingError(difference, std::abs(a) + std::abs(b)) ? 0
                                                                : difference;
}

// A value on both sides. Without a comparison, that of the base is 0.
using Change = Sides<Estimate>;

// Returns what reports show of a change: now - base, or exactly 0 if that is
// only a rounding error.
inline double Difference(const Change& change) {
  return Difference(change.now.value, change.base.value);
}

// Adds positive and negative numbers. If they cancel, the sum is exactly 0:
// otherwise, reports would show percentages of a rounding error.
class CancellingSum {
 public:
  void Add(double term) { Add(term, std::abs(term)); }
  // Adds a term that is itself a sum or difference. `size` is the sum of the
  // absolute values of the numbers from which the term was computed.
  void Add(double term, double size) {
    sum_ += term;
    size_ += size;
  }
  double value() const { return IsRoundingError(sum_, size_) ? 0 : sum_; }

 private:
  double sum_ = 0;
  double size_ = 0;
};

}  // namespace heapprof
