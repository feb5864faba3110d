// SPDX-License-Identifier: Apache-2.0
//
// Since version 5.3, jemalloc seeds the random generator for a thread's samples
// with the address of the thread-local data, which is next to the thread's
// stack. A thread that reuses the stack of an ended thread therefore gets the
// same seed and samples the same bytes of its allocations. The sampling errors
// of such threads add up instead of averaging out.
#pragma once

#include <cstddef>
#include <vector>

namespace heapprof {

// Returns how many of a process's `threads` may have used the same stack, in
// the worst case; 0 if each had its own. `stacks` is the number of thread
// stacks in the process, without that of the main thread; 0 if unknown, and
// then the result is 0. Each stack was used by at least one thread. It is
// unknown which threads used the same stack. In the worst case, only one stack
// was used by several threads.
size_t MostThreadsWithOneSeed(size_t threads, size_t stacks);

// Returns the most that threads with the same seed can add to the variance of a
// sum over threads with these `variances`. Two threads with the same seed add
// twice their covariance, which is at most the smaller of their variances. At
// most `sharing` threads have the same seed; it is assumed that they are those
// with the largest variances.
double SharedSeedVariance(std::vector<double> variances, size_t sharing);

}  // namespace heapprof
