// SPDX-License-Identifier: Apache-2.0
//
// The sizes to which jemalloc rounds objects up.
#pragma once

#include <cstdint>

namespace heapprof {

// Returns the largest size in the class of `size`: jemalloc rounds it up to
// this. There are four classes between one power of two and the next.
uint64_t SizeClassOf(uint64_t size);

// Returns the class of the objects behind the estimates of one sample, or 0 if
// their number is unknown. Objects of several sizes are in the class of their
// mean size.
//
// `period` is that of sampling, or 0 if the sizes are known to be right. Since
// version 5.3, jemalloc dumps counts that Unbias() turns into the right sums,
// after it has rounded the number of objects that each sample stands for. Their
// mean size is therefore up to 7 % off: 8192-byte objects of a dump with a
// period of 16 KiB seem to have 8327 bytes, and would be in the class above.
uint64_t SizeClassOfObjects(double objects, double bytes, double period);

}  // namespace heapprof
