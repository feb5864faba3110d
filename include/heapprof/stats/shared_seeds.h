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

// Returns the most that shared seeds can add to the variance of a sum over
// threads with these `variances`. Two threads with the same seed add twice
// their covariance, which is at most the smaller of their variances.
//
// `stacks` is the number of thread stacks in the process. If it is 0 (unknown),
// returns 0. The main thread uses none of these stacks, and each stack was used
// by at least one thread. It is unknown which threads shared a stack, so the
// worst case is assumed: every other stack had one thread, and one stack had
// all the rest.
double SharedSeedVariance(std::vector<double> variances, size_t stacks);

}  // namespace heapprof
