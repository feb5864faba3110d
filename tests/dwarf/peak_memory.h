// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

namespace heapprof {

// Of this process.
inline long PeakMemoryInKib() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

}  // namespace heapprof
