// SPDX-License-Identifier: Apache-2.0
//
// Since 5.3 jemalloc draws a thread's sampling from a generator that it seeds
// with the address of the thread's data. A thread that starts on the stack of
// one that has ended gets the same seed and samples the same bytes of what it
// allocates: the errors of such threads add up instead of evening out.
#pragma once

#include <cstddef>
#include <vector>

namespace heapprof {

// By how much this makes the variance of a sum larger than the sum of its
// threads' `variances`, at most: the covariance of two threads is no more than
// the variance of the smaller one. `stacks`: how many thread stacks the process
// had; 0: not known, then nothing is added. The first thread needs none, and
// each stack was used: all the other threads may have shared the same one.
double SharedSeedVariance(std::vector<double> variances, size_t stacks);

}  // namespace heapprof
