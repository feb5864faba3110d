// SPDX-License-Identifier: Apache-2.0
//
// A hash table for rows that are stored elsewhere. It holds only row numbers,
// in one block of memory, so that filling and copying it needs few allocations.
//
// Example:
//   const uint32_t i = table.FindOrAddIndex(
//       hash, rows.size(), [&](uint32_t other) { return rows[other] == row; });
//   if (i == rows.size()) rows.push_back(row);
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "heapprof/base/hash.h"

namespace heapprof {

class IdTable {
 public:
  IdTable() : slots_(size_t{1} << kFirstBits) {}

  // Returns the number that was added with `hash` and for which `is_equal`
  // returns true; 0 if there is none.
  template <typename IsEqual>
  uint32_t Find(uint64_t hash, IsEqual is_equal) const {
    const uint32_t tag = TagOf(hash);
    for (size_t slot = SlotOf(tag); slots_[slot].number != 0; slot = Next(slot))
      if (slots_[slot].tag == tag && is_equal(slots_[slot].number))
        return slots_[slot].number;
    return 0;
  }

  // Returns what Find() returns; if that is 0, adds `number` and returns it.
  template <typename IsEqual>
  uint32_t FindOrAdd(uint64_t hash, size_t number, IsEqual is_equal) {
    if (const uint32_t known = Find(hash, is_equal); known != 0) return known;
    Add(hash, static_cast<uint32_t>(number));
    return static_cast<uint32_t>(number);
  }
  // The same for a table that has only rows numbered from 0. Returns the index
  // of the row for which `is_equal` returns true. If there is none, returns
  // `row_count`, the index of a row that the caller must append.
  template <typename IsEqual>
  uint32_t FindOrAddIndex(uint64_t hash, size_t row_count, IsEqual is_equal) {
    return FindOrAdd(hash, row_count + 1,
                     [&](uint32_t number) { return is_equal(number - 1); }) -
           1;
  }

  // Makes room for `count` numbers in total.
  void Reserve(size_t count) {
    int bits = 0;
    while (!HasRoomFor(count, slots_.size() << bits)) ++bits;
    if (bits > 0) Grow(bits);
  }
  // Adds `number`, which must not be 0, because 0 marks a free slot.
  void Add(uint64_t hash, uint32_t number) {
    if (!HasRoomFor(++used_, slots_.size())) Grow(1);
    Insert({TagOf(hash), number});
  }

 private:
  // A slot of the table. The tag is a 32-bit hash and determines the slot where
  // a search starts. A search compares tags first, so that it rarely has to
  // read a row.
  struct Slot {
    uint32_t tag = 0;
    uint32_t number = 0;  // 0: free
  };
  static constexpr int kFirstBits = 6;
  static constexpr int kTagBits = 32;

  // True if `count` numbers would fill at most two thirds of `slot_count`
  // slots. A fuller table is slower to search; an emptier one takes more memory
  // and therefore misses the processor's cache more often.
  static bool HasRoomFor(size_t count, size_t slot_count) {
    return count * 3 <= slot_count * 2;
  }
  static uint32_t TagOf(uint64_t hash) {
    return static_cast<uint32_t>((hash * kHashMultiplier) >> kTagBits);
  }
  size_t SlotOf(uint32_t tag) const { return tag >> shift_; }
  size_t Next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  void Insert(Slot added) {
    size_t slot = SlotOf(added.tag);
    while (slots_[slot].number != 0) slot = Next(slot);
    slots_[slot] = added;
  }
  // Doubles the size of the table `bits` times.
  void Grow(int bits) {
    shift_ -= bits;
    const std::vector<Slot> old =
        std::exchange(slots_, std::vector<Slot>(slots_.size() << bits));
    for (const Slot& slot : old)
      if (slot.number != 0) Insert(slot);
  }

  std::vector<Slot> slots_;  // open addressing
  int shift_ = kTagBits - kFirstBits;
  size_t used_ = 0;
};

}  // namespace heapprof
