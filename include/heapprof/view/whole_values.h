// SPDX-License-Identifier: Apache-2.0
//
// Rounds estimates to whole bytes or objects.
#pragma once

#include <cstdint>

namespace heapprof {

// Returns `value` without its fraction, as jeprof prints it. A value that is
// just below an integer, such as 543.9999999, becomes that integer, because
// only a rounding error can have made it smaller.
double WholeValue(double value);

// Converts the values of one output to integers. The fraction that is cut from
// one value is added to the next, so that the sum of the integers is the sum of
// the values without its fraction. Positive and negative values are treated
// separately, so that the sums of increases and decreases are right, too.
class WholeValues {
 public:
  // Returns the next value as an integer. The sums of the results stay below
  // 2^63, whatever the values are.
  int64_t Next(double value);

 private:
  struct Sum {
    double fraction = 0;  // cut from the last value, to be added to the next
    double total = 0;     // the sum of the results so far
    int64_t Add(double size);
  };

  Sum positive_;
  Sum negative_;
};

}  // namespace heapprof
