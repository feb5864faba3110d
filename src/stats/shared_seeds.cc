// SPDX-License-Identifier: Apache-2.0
#include "heapprof/stats/shared_seeds.h"

#include <algorithm>
#include <functional>

namespace heapprof {

double SharedSeedVariance(std::vector<double> variances, size_t stacks) {
  if (stacks == 0 || variances.size() <= stacks + 1) return 0;
  const size_t sharing = variances.size() - stacks;
  std::ranges::sort(variances, std::greater());
  double shared = 0;
  // The first `sharing` threads have the same seed. The variances are in
  // descending order, so variances[i] is the smaller one in i pairs of threads.
  // The covariance of each pair counts twice.
  for (size_t i = 1; i < sharing; ++i)
    shared += 2 * static_cast<double>(i) * variances[i];
  return shared;
}

}  // namespace heapprof
