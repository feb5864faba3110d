// SPDX-License-Identifier: Apache-2.0
//
// Room for tables that may become large.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heapprof {

// Reserves `count` rows. Memory that is reserved but not used costs nothing;
// where it is used it comes in large pages if the system has them, since most
// of the time to fill a table would go into page faults otherwise.
template <typename Row>
void ReserveLargeTable(std::vector<Row>& table, size_t count) {
  constexpr uintptr_t kLargePage = uintptr_t{2} << 20;
  table.reserve(count);
  const auto begin = reinterpret_cast<uintptr_t>(table.data());
  const uintptr_t end = begin + table.capacity() * sizeof(Row);
  const uintptr_t first = (begin + kLargePage - 1) & ~(kLargePage - 1);
  const uintptr_t last = end & ~(kLargePage - 1);
  // A hint: it does not matter if it fails.
  if (first < last)
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}

}  // namespace heapprof
