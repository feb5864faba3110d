// SPDX-License-Identifier: Apache-2.0
//
// How sure a share is that comes from a number of samples.
#pragma once

#include "heapprof/stats/interval.h"

namespace heapprof {

// Returns the interval that contains the true share with probability
// `confidence` at least (Clopper and Pearson 1934), if `share` of `samples`,
// which need not be a whole number, are counted. With no samples, it is all
// from 0 to 1.
Interval ProportionInterval(double share, double samples, double confidence);

}  // namespace heapprof
