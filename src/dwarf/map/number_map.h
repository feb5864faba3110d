// SPDX-License-Identifier: Apache-2.0
//
// A hash table that numbers its keys from 0, in the order in which they are
// first added. It does not allocate memory for each key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/base/hash.h"

namespace heapprof {

class NumberMap {
 public:
  // Returns the number of `key`, and whether it is new.
  std::pair<uint32_t, bool> Add(uint64_t key) {
    if (2 * (size_ + size_t{1}) > slots_.size()) Grow();
    Slot& slot = SlotOf(key);
    if (slot.next != 0) return {slot.next - 1, false};
    slot = {key, ++size_};
    return {size_ - 1, true};
  }
  size_t size() const { return size_; }
  // Prefetches the data that Add() will read.
  void Prefetch(uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[FirstSlotOf(key)]);
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t next = 0;  // the key's number + 1; 0: free
  };

  size_t FirstSlotOf(uint64_t key) const {
    return static_cast<size_t>(AddToHash(0, key) >> shift_);
  }
  // Returns the slot that has `key`, or the empty slot where `key` belongs.
  Slot& SlotOf(uint64_t key) {
    size_t at = FirstSlotOf(key);
    while (slots_[at].next != 0 && slots_[at].key != key)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void Grow() {
    constexpr size_t kFewest = 64;
    const std::vector<Slot> old = std::exchange(
        slots_, std::vector<Slot>(std::max(kFewest, 2 * slots_.size())));
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const Slot& slot : old)
      if (slot.next != 0) SlotOf(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  uint32_t size_ = 0;
  int shift_ = 0;
};

}  // namespace heapprof
