// SPDX-License-Identifier: Apache-2.0
//
// Sorts millions of objects by address, in several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "heapprof/base/fast_sort.h"
#include "heapprof/base/for_each.h"

namespace heapprof {

// Sorts `rows`. `address` is the member of Row that has the address, or
// std::identity if Row is itself an address. The sort is not stable. Callers
// must not rely on the order of rows with equal addresses, because it may
// depend on `jobs`, the number of threads.
template <typename Row, typename Address>
void SortByAddress(std::vector<Row>& rows, Address address, unsigned jobs) {
  constexpr size_t kWorthAThread = size_t{1} << 16;
  const size_t parts =
      std::clamp<size_t>(rows.size() / kWorthAThread, 1, std::max(jobs, 1U));
  const auto start_of = [&](size_t part) {
    return rows.begin() +
           static_cast<ptrdiff_t>(rows.size() * std::min(part, parts) / parts);
  };
  const auto address_of = [address](const Row& row) {
    return std::invoke(address, row);
  };
  const auto is_less = LessBy(address_of);
  ForEach(parts, jobs, [&](size_t part) {
    SortByNumber(start_of(part), start_of(part + 1), address_of);
  });
  for (size_t width = 1; width < parts; width *= 2)
    for (size_t part = 0; part + width < parts; part += 2 * width)
      std::inplace_merge(start_of(part), start_of(part + width),
                         start_of(part + 2 * width), is_less);
}

}  // namespace heapprof
