// SPDX-License-Identifier: Apache-2.0
//
// Sorts what has an address, a million of it at a time: by the bits of the
// addresses, three times as fast as by comparing them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <boost/sort/spreadsort/integer_sort.hpp>

namespace heapprof {

// `address` is a member of Row, or std::identity. The sort is not stable: rows
// of one address must not depend on their order.
template <typename Row, typename Address>
void SortByAddress(std::vector<Row>& rows, Address address) {
  boost::sort::spreadsort::integer_sort(
      rows.begin(), rows.end(),
      [address](const Row& row, unsigned shift) {
        return std::invoke(address, row) >> shift;
      },
      [address](const Row& a, const Row& b) {
        return std::invoke(address, a) < std::invoke(address, b);
      });
}

}  // namespace heapprof
