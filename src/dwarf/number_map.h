// SPDX-License-Identifier: Apache-2.0
//
// Numbers from 0 for keys, in the order in which they are first met: a hash
// table without an allocation per key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heapprof {

class NumberMap {
 public:
  // The number of `key`, and whether it is new.
  std::pair<uint32_t, bool> Add(uint64_t key) {
    if (2 * (keys_.size() + 1) > slots_.size()) Grow();
    uint32_t& slot = SlotOf(key);
    if (slot != 0) return {slot - 1, false};
    keys_.push_back(key);
    slot = static_cast<uint32_t>(keys_.size());
    return {slot - 1, true};
  }
  size_t size() const { return keys_.size(); }

 private:
  // The slot that has `key`, or the empty one where it belongs.
  uint32_t& SlotOf(uint64_t key) {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
    size_t at = static_cast<size_t>((key * kOdd) >> shift_);
    while (slots_[at] != 0 && keys_[slots_[at] - 1] != key)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void Grow() {
    constexpr size_t kFewest = 64;
    slots_.assign(std::max(kFewest, 2 * slots_.size()), 0);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (uint32_t i = 0; i < keys_.size(); ++i) SlotOf(keys_[i]) = i + 1;
  }

  std::vector<uint64_t> keys_;   // by number
  std::vector<uint32_t> slots_;  // number + 1, or 0
  int shift_ = 0;
};

}  // namespace heapprof
