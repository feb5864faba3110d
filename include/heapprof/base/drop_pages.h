// SPDX-License-Identifier: Apache-2.0
//
// Tells the kernel which parts of a mapped file will probably not be read
// again, so that they no longer count as memory of this process. If one is read
// again, it comes from the file.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace heapprof {

// Drops the pages that are entirely in the `size` bytes at `begin`, which must
// belong to a mapped file. What was written to these pages is lost.
inline void DropPages(const void* begin, size_t size) {
  const auto page_size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto start = reinterpret_cast<uintptr_t>(begin);
  const uintptr_t first = (start + page_size - 1) / page_size * page_size;
  const uintptr_t last = (start + size) / page_size * page_size;
  // This is only a hint, so failure does not matter.
  if (first < last)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

}  // namespace heapprof
