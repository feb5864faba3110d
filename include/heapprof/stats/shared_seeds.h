// SPDX-License-Identifier: Apache-2.0
//
// Since version 5.3, jemalloc seeds the random generator for a thread's samples
// with the address of the thread's data. A thread that reuses the stack of an
// ended thread gets the same seed and samples the same bytes of its
// allocations. The errors of such threads then add up instead of averaging out.
#pragma once

#include <cstddef>
#include <vector>

namespace heapprof {

// The most that shared seeds can add to the variance of a sum over threads with
// these `variances`: the covariance of two threads is at most the smaller
// variance. `stacks` is the number of thread stacks in the process; if it is 0
// (unknown), nothing is added. The main thread uses none of these stacks, and
// each of them was used by at least one thread; all other threads may have
// shared a single one.
double SharedSeedVariance(std::vector<double> variances, size_t stacks);

}  // namespace heapprof
