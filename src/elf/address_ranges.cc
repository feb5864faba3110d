// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/address_ranges.h"

#include <algorithm>
#include <iterator>

namespace heapprof {

AddressRanges::AddressRanges(
    std::vector<std::pair<uint64_t, uint64_t>> ranges) {
  std::ranges::sort(ranges);
  for (const auto& [start, end] : ranges) {
    if (start >= end) continue;
    if (!ranges_.empty() && start <= ranges_.back().second)
      ranges_.back().second = std::max(ranges_.back().second, end);
    else
      ranges_.emplace_back(start, end);
  }
}

bool AddressRanges::Contains(uint64_t address) const {
  auto after = std::ranges::upper_bound(ranges_, address, {},
                                        &std::pair<uint64_t, uint64_t>::first);
  return after != ranges_.begin() && address < std::prev(after)->second;
}

bool AddressRanges::Overlaps(uint64_t start, uint64_t end) const {
  auto after = std::ranges::lower_bound(ranges_, end, {},
                                        &std::pair<uint64_t, uint64_t>::first);
  return after != ranges_.begin() && start < std::prev(after)->second;
}

}  // namespace heapprof
