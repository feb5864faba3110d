// SPDX-License-Identifier: Apache-2.0
//
// Helpers for large new blocks of memory.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace heapprof {

// Asks the system for large pages. Otherwise page faults take most of the time
// needed to fill new memory for the first time.
inline void PreferLargePages(void* memory, size_t size) {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kLargePage - 1) & ~(kLargePage - 1);
  const uintptr_t last = (begin + size) & ~(kLargePage - 1);
  // This is only a hint, so failure does not matter.
  if (first < last)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

// Asks the system to map the pages of new memory now, which is most of the cost
// of the first write to them. Returns false if it cannot. Data written to the
// pages in the meantime is kept.
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
