// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/proportion.h"

#include <algorithm>

#include "stats/quantiles.h"

namespace heapprof {

Interval ProportionInterval(double share, double samples, double confidence) {
  if (!(samples > 0)) return {0, 1};
  const double tail = (1 - confidence) / 2;
  const double counted = std::clamp(share, 0.0, 1.0) * samples;
  const double others = samples - counted;
  return {counted > 0 ? BetaQuantile(counted, others + 1, tail) : 0,
          others > 0 ? BetaQuantile(counted + 1, others, 1 - tail) : 1};
}

}  // namespace heapprof
