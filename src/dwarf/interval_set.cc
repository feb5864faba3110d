// SPDX-License-Identifier: Apache-2.0
#include "dwarf/interval_set.h"

#include <algorithm>
#include <iterator>

namespace heapprof {

std::vector<AddressRange> IntervalSet::Missing(AddressRange range) const {
  std::vector<AddressRange> missing;
  uint64_t at = range.start;
  auto next = ranges_.upper_bound(at);
  if (next != ranges_.begin()) at = std::max(at, std::prev(next)->second);
  for (; next != ranges_.end() && next->first < range.end; ++next) {
    missing.push_back({at, next->first});
    at = next->second;
  }
  if (at < range.end) missing.push_back({at, range.end});
  return missing;
}

std::vector<AddressRange> IntervalSet::Add(AddressRange range) {
  std::vector<AddressRange> added = Missing(range);
  if (added.empty()) return added;
  auto next = ranges_.upper_bound(range.start);
  if (next != ranges_.begin() && std::prev(next)->second >= range.start) {
    --next;
    range.start = next->first;
  }
  while (next != ranges_.end() && next->first <= range.end) {
    range.end = std::max(range.end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, range.start, range.end);
  return added;
}

}  // namespace heapprof
