// SPDX-License-Identifier: Apache-2.0
//
// Estimates as whole bytes or objects.
#pragma once

#include <cstdint>

namespace heapprof {

// `value` without its fraction, as jeprof prints it. 543.9999999 is 544: a
// fraction this close to 1 is the error of floating-point sums.
double WholeValue(double value);

// Makes integers of the values of one output, which add up to the whole value
// of their sum: the fraction that one value loses is added to the next. What
// grew and what shrank have fractions of their own, so that each adds up.
class WholeValues {
 public:
  // Their sums stay below 2^63, whatever the values are.
  int64_t Next(double value);

 private:
  struct Sum {
    double fraction = 0;  // what was cut off, below 1
    double total = 0;
    int64_t Add(double size);
  };

  Sum positive_;
  Sum negative_;
};

}  // namespace heapprof
