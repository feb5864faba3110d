// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/interval_set.h"

#include <algorithm>
#include <iterator>

namespace heapprof {

void IntervalSet::FindMissing(AddressRange range,
                              std::vector<AddressRange>& missing) const {
  uint64_t at = range.start;
  auto next = ranges_.upper_bound(at);
  if (next != ranges_.begin()) at = std::max(at, std::prev(next)->second);
  for (; next != ranges_.end() && next->first < range.end; ++next) {
    missing.push_back({at, next->first});
    at = next->second;
  }
  if (at < range.end) missing.push_back({at, range.end});
}

void IntervalSet::Add(AddressRange range, std::vector<AddressRange>& added) {
  const size_t before = added.size();
  FindMissing(range, added);
  if (added.size() == before) return;
  auto next = ranges_.upper_bound(range.start);
  const auto swallow = [&] {
    while (next != ranges_.end() && next->first <= range.end) {
      range.end = std::max(range.end, next->second);
      next = ranges_.erase(next);
    }
  };
  swallow();
  // Usually the new range starts where an earlier one ends, and extends it.
  if (next != ranges_.begin() && std::prev(next)->second >= range.start)
    std::prev(next)->second = std::max(std::prev(next)->second, range.end);
  else
    ranges_.emplace_hint(next, range.start, range.end);
}

}  // namespace heapprof
