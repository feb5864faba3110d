// SPDX-License-Identifier: Apache-2.0
//
// Rounds estimates to whole bytes or objects.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heapprof/base/sides.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/sum.h"

namespace heapprof {

// Returns `value` without its fraction, as jeprof prints it. A value that is
// just below an integer, such as 543.9999999, becomes that integer, because
// only a rounding error can have made it smaller.
double WholeValue(double value);

// Returns the smallest interval with whole bounds that contains `interval`.
Interval RoundedOutwards(const Interval& interval);

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

// Rounds rows that have a value on each side of a comparison. Each side adds up
// as with WholeValues, and a row that has not changed gets equal integers. Such
// rows are therefore rounded first, once for both sides: if each side carried
// its own fractions into them, their integers could differ by 1.
//
// `values_of(i)` returns the values of row i, and `set(i, rounded)` takes the
// integers. Not called in the order of the rows.
template <typename ValuesOf, typename Set>
void RoundSides(size_t rows, ValuesOf values_of, Set set) {
  WholeValues both;
  for (size_t i = 0; i < rows; ++i) {
    const Sides<double> values = values_of(i);
    if (Difference(values.now, values.base) != 0) continue;
    const int64_t whole = both.Next(values.now);
    set(i, Sides<int64_t>{whole, whole});
  }
  Sides<WholeValues> sides = {both, both};
  for (size_t i = 0; i < rows; ++i) {
    const Sides<double> values = values_of(i);
    if (Difference(values.now, values.base) == 0) continue;
    set(i, Sides<int64_t>{sides.now.Next(values.now),
                          sides.base.Next(values.base)});
  }
}

}  // namespace heapprof
