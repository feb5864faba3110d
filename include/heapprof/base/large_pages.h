// SPDX-License-Identifier: Apache-2.0
//
// New memory for what is large.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace heapprof {

// Lets new memory come in large pages, if the system has them: most of the
// time to fill it for the first time goes into page faults otherwise.
inline void PreferLargePages(void* memory, size_t size) {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kLargePage - 1) & ~(kLargePage - 1);
  const uintptr_t last = (begin + size) & ~(kLargePage - 1);
  // A hint: it does not matter if it fails.
  if (first < last)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

// Has the system supply the pages of new memory now, which is most of the work
// of writing there first. False if it cannot. What is written meanwhile stays.
inline bool SupplyPages(void* memory, size_t size) {
#ifdef MADV_POPULATE_WRITE
  constexpr uintptr_t kPage = 4096;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = begin & ~(kPage - 1);
  return madvise(reinterpret_cast<void*>(first), begin + size - first,
                 MADV_POPULATE_WRITE) == 0;
#else
  static_cast<void>(memory);
  static_cast<void>(size);
  return false;
#endif
}

}  // namespace heapprof
