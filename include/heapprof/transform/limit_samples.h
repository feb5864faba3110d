// SPDX-License-Identifier: Apache-2.0
//
// Makes a profile smaller for services that limit the number of samples.
#pragma once

#include <cstddef>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct LimitedSamples {
  size_t samples = 0;  // that lost frames
  double value = 0;    // the sum of their absolute values
};

// Leaves at most `limit` different samples, but at least one for each thread
// and lifetime of a side. Where many small stacks continue a common one, their
// frames beyond it are replaced by one frame "[small stacks]". The largest
// subtrees of calls by `metric` are kept whole, so that every function that is
// left still calls what it called, and no sum changes.
LimitedSamples LimitSamples(Profile& profile, Metric metric, size_t limit);

}  // namespace heapprof
