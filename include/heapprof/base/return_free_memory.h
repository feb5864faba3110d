// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace heapprof {

// Returns the memory of freed objects to the system, which malloc would keep
// for others. Call it where many large objects are freed, one after the other,
// while as much memory is allocated in blocks that are larger than theirs.
inline void ReturnFreeMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace heapprof
