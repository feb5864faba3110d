// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heapprof {

// Puts `items` in `order`, which has the index of each of them once. Returns by
// old index the new one, for whatever refers to the items.
template <typename T>
std::vector<uint32_t> Reorder(std::span<const uint32_t> order,
                              std::vector<T>& items) {
  std::vector<T> sorted;
  sorted.reserve(items.size());
  std::vector<uint32_t> places(items.size());
  for (const uint32_t i : order) {
    places[i] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(items[i]));
  }
  items = std::move(sorted);
  return places;
}

}  // namespace heapprof
