// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/shared_seeds.h"

#include <algorithm>
#include <functional>

namespace heapprof {

size_t MostThreadsWithOneSeed(size_t threads, size_t stacks) {
  // The main thread needs none of the stacks.
  return stacks == 0 || threads <= stacks + 1 ? 0 : threads - stacks;
}

double SharedSeedVariance(std::vector<double> variances, size_t sharing) {
  std::ranges::sort(variances, std::greater());
  double shared = 0;
  // The variances are in descending order, so variances[i] is the smaller one
  // in i pairs of threads. The covariance of each pair counts twice.
  for (size_t i = 1; i < std::min(sharing, variances.size()); ++i)
    shared += 2 * static_cast<double>(i) * variances[i];
  return shared;
}

}  // namespace heapprof
