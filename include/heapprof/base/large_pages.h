// SPDX-License-Identifier: Apache-2.0
//
// Room for tables that may become large.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

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

// Reserves `count` rows. Memory that is reserved but not used costs nothing.
template <typename Row>
void ReserveLargeTable(std::vector<Row>& table, size_t count) {
  table.reserve(count);
  PreferLargePages(table.data(), table.capacity() * sizeof(Row));
}

}  // namespace heapprof
