// SPDX-License-Identifier: Apache-2.0
//
// Sums whose terms may cancel out.
#pragma once

#include <cmath>

namespace heapprof {

// True if `value`, a sum of terms whose absolute values add up to `size`, is
// zero but for the rounding of floating-point numbers.
inline bool IsRoundingError(double value, double size) {
  constexpr double kRoundingShare = 1e-10;
  return std::abs(value) <= kRoundingShare * size;
}

// Adds up numbers of either sign. What is left of numbers that cancel out is 0,
// so that nobody takes percentages of it.
class CancellingSum {
 public:
  void Add(double term) { Add(term, std::abs(term)); }
  // A term that is itself the difference of larger numbers of this size.
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
