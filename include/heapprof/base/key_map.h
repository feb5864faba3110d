// SPDX-License-Identifier: Apache-2.0
//
// A hash table from 64-bit keys to 32-bit values, in one block of memory, so
// that filling it needs few allocations. Key and value are adjacent: a lookup
// misses the processor's cache at most once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/base/hash.h"

namespace heapprof {

class KeyMap {
 public:
  // The value of `key`. It is 0 if the key is new; the caller must then set it
  // to another number. Valid until the next call.
  uint32_t& At(uint64_t key) {
    if (2 * (size_ + 1) > slots_.size()) Grow();
    Slot& slot = SlotOf(key);
    if (slot.value == 0) {
      slot.key = key;
      ++size_;
    }
    return slot.value;
  }
  size_t size() const { return size_; }
  // Prefetches the data that At() will read.
  void Prefetch(uint64_t key) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[FirstSlotOf(key)]);
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t value = 0;  // 0: free
  };

  size_t FirstSlotOf(uint64_t key) const {
    return static_cast<size_t>((key * kHashMultiplier) >> shift_);
  }
  // The slot with `key`, or the free one where it belongs.
  Slot& SlotOf(uint64_t key) {
    size_t at = FirstSlotOf(key);
    while (slots_[at].value != 0 && slots_[at].key != key)
      at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void Grow() {
    constexpr size_t kFewest = 64;
    const size_t size = slots_.empty() ? kFewest : 2 * slots_.size();
    const std::vector<Slot> old =
        std::exchange(slots_, std::vector<Slot>(size));
    shift_ = 64 - std::countr_zero(size);
    for (const Slot& slot : old)
      if (slot.value != 0) SlotOf(slot.key) = slot;
  }

  std::vector<Slot> slots_;  // open addressing; at most half of them are used
  size_t size_ = 0;
  int shift_ = 0;
};

}  // namespace heapprof
