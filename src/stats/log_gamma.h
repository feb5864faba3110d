// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace heapprof {

// Unlike lgamma(), does not write to a global variable.
inline double LogGamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

}  // namespace heapprof
