// SPDX-License-Identifier: Apache-2.0
//
// Makes the first writes to a large new block of memory cheaper.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace heapprof {

inline constexpr uintptr_t kLargePage = uintptr_t{2} << 20;

// Asks the kernel to use 2 MiB pages for new memory. With 4 KiB pages, filling
// the memory causes so many page faults that they take most of the time.
inline void PreferLargePages(void* memory, size_t size) {
  const auto begin = reinterpret_cast<uintptr_t>(memory);
  const uintptr_t first = (begin + kLargePage - 1) & ~(kLargePage - 1);
  const uintptr_t last = (begin + size) & ~(kLargePage - 1);
  // This is only a hint, so failure does not matter.
  if (first < last)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

// Asks the kernel to map the pages of new memory now, so that the first write
// to a page causes no page fault. Returns false if the kernel cannot do that.
// Another thread may write to the pages meanwhile; what it writes is kept.
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
