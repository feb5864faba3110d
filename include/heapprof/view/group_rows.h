// SPDX-License-Identifier: Apache-2.0
//
// Tables of groups always show [other]: without it, nobody could tell how much
// the groups miss.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include "heapprof/profile/group_frames.h"

namespace heapprof {

// Returns how many of the rows of groups to show if there is room for `most`;
// 0 = all. Moves [other] up if it would be cut. It never replaces the first
// row. `group` returns the group of a row.
template <typename Row, typename Group>
size_t KeepOtherGroup(std::vector<Row>& rows, size_t most, Group group) {
  if (most == 0 || most >= rows.size()) return rows.size();
  const auto other = std::ranges::find(rows, kOtherGroup, group);
  const auto first = rows.begin();
  if (other == rows.end() || other < first + static_cast<ptrdiff_t>(most))
    return most;
  const size_t place = std::max<size_t>(1, most - 1);
  std::rotate(first + static_cast<ptrdiff_t>(place), other, other + 1);
  return place + 1;
}

template <typename Row>
size_t KeepOtherGroup(std::vector<Row>& rows, size_t most) {
  return KeepOtherGroup(rows, most, &Row::name);
}

}  // namespace heapprof
