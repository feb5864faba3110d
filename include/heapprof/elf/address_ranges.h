// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace heapprof {

// Half-open address ranges in ascending order. Ranges that overlap or touch are
// merged.
class AddressRanges {
 public:
  AddressRanges() = default;
  explicit AddressRanges(std::vector<std::pair<uint64_t, uint64_t>> ranges);

  bool Contains(uint64_t address) const;
  // True if a range contains any address of [start, end).
  bool Overlaps(uint64_t start, uint64_t end) const;
  bool empty() const { return ranges_.empty(); }
  // Start and exclusive end of each range.
  std::span<const std::pair<uint64_t, uint64_t>> all() const { return ranges_; }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;  // start, exclusive end
};

}  // namespace heapprof
