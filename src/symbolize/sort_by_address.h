// SPDX-License-Identifier: Apache-2.0
//
// Sorts what has an address, a million of it at a time: by the bits of the
// addresses, three times as fast as by comparing them, and on several threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <boost/sort/spreadsort/integer_sort.hpp>

#include "heapprof/base/for_each.h"

namespace heapprof {

// `address` is a member of Row, or std::identity. The sort is not stable: rows
// of one address must not depend on their order, which `jobs`, the number of
// threads, may change.
template <typename Row, typename Address>
void SortByAddress(std::vector<Row>& rows, Address address, unsigned jobs) {
  constexpr size_t kWorthAThread = size_t{1} << 16;
  const size_t parts = std::clamp<size_t>(rows.size() / kWorthAThread, 1, jobs);
  const auto start_of = [&](size_t part) {
    return rows.begin() +
           static_cast<ptrdiff_t>(rows.size() * std::min(part, parts) / parts);
  };
  const auto is_less = [address](const Row& a, const Row& b) {
    return std::invoke(address, a) < std::invoke(address, b);
  };
  ForEach(parts, jobs, [&](size_t part) {
    boost::sort::spreadsort::integer_sort(
        start_of(part), start_of(part + 1),
        [address](const Row& row, unsigned shift) {
          return std::invoke(address, row) >> shift;
        },
        is_less);
  });
  for (size_t width = 1; width < parts; width *= 2)
    for (size_t part = 0; part + width < parts; part += 2 * width)
      std::inplace_merge(start_of(part), start_of(part + width),
                         start_of(part + 2 * width), is_less);
}

}  // namespace heapprof
