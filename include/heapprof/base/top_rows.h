// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace heapprof {

// Returns the rows that --top leaves: the first `top`; all if it is 0.
template <typename Row>
std::span<const Row> TopRows(const std::vector<Row>& rows, size_t top) {
  return std::span(rows).first(top == 0 ? rows.size()
                                        : std::min(top, rows.size()));
}

}  // namespace heapprof
