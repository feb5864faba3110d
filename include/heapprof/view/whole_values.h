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

// Converts the values of one output to integers that add up to the whole part
// of their sum: the fraction cut from one value is added to the next. Increases
// and decreases are treated separately, so that each of their sums is right.
class WholeValues {
 public:
  // The sums of the results stay below 2^63, whatever the values are.
  int64_t Next(double value);

 private:
  struct Sum {
    double fraction = 0;  // cut off so far and still to be added; below 1
    double total = 0;
    int64_t Add(double size);
  };

  Sum positive_;
  Sum negative_;
};

}  // namespace heapprof
