// SPDX-License-Identifier: Apache-2.0
//
// The sizes to which jemalloc rounds objects up.
#pragma once

#include <cstdint>

namespace heapprof {

// Returns the largest size in the class of `size`: jemalloc rounds it up to
// this. There are four classes between one power of two and the next.
uint64_t SizeClassOf(uint64_t size);

// Returns whether a dump of jemalloc 5.3 may count `objects` objects and
// `bytes` bytes if all sampled objects had `size` bytes. Since this version,
// jemalloc dumps counts that Unbias() turns into the right sums, after it has
// rounded the number of objects that each sample stands for. The mean size in a
// dump is therefore up to 7 % off: with a period of 16 KiB, 8192-byte objects
// seem to have 8327 bytes. `period` must be greater than 1.
bool MayBeOfSize(uint64_t objects, uint64_t bytes, uint64_t size,
                 double period);

// Returns the class of the objects behind the estimates of one sample, or 0 if
// their number is unknown. Objects of several sizes are in the class of their
// mean size. `period` is that of sampling, or 0 if the sizes are known to be
// right; otherwise, MayBeOfSize() decides.
uint64_t SizeClassOfObjects(double objects, double bytes, double period);

}  // namespace heapprof
