// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/whole_values.h"

#include <algorithm>
#include <cmath>

namespace heapprof {
namespace {

// Returns how far below an integer a value of this size may be and still count
// as that integer. This is much more than the rounding error of a sum, but much
// less than anything users care about.
double Tolerance(double size) {
  constexpr double kLeast = 1e-6, kShare = 1e-13, kMost = 0.1;
  return std::clamp(kShare * size, kLeast, kMost);
}

}  // namespace

double WholeValue(double value) {
  const double size = std::abs(value);
  const double whole = std::trunc(size + Tolerance(size));
  // Adding 0 turns a negative zero into a plain one.
  return std::copysign(whole, value) + 0.0;
}

Interval RoundedOutwards(const Interval& interval) {
  return {std::floor(interval.lower), std::ceil(interval.upper)};
}

int64_t WholeValues::Next(double value) {
  return value < 0 ? -negative_.Add(-value) : positive_.Add(value);
}

int64_t WholeValues::Sum::Add(double size) {
  constexpr double kLimit = 9.2e18;  // below 2^63
  const double exact = (size < kLimit ? size : kLimit) + fraction;
  const double whole = WholeValue(exact);
  // `fraction` is negative if the value was rounded up.
  fraction = exact - whole;
  const double counted = std::min(whole, kLimit - total);
  total += counted;
  return static_cast<int64_t>(counted);
}

}  // namespace heapprof
