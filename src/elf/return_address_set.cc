// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/return_address_set.h"

#include <algorithm>
#include <iterator>

#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/base/put_number.h"
#include "heapprof/base/varint.h"

namespace heapprof {

std::string ReturnAddressSet::Encode(std::span<const uint64_t> addresses) {
  std::string table;
  std::string steps;
  PutNumber(table, addresses.size(), sizeof(uint32_t));
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (i % kPerBlock != 0) {
      PutVarint(std::back_inserter(steps), addresses[i] - addresses[i - 1]);
      continue;
    }
    PutNumber(table, addresses[i], sizeof(uint64_t));
    PutNumber(table, steps.size(), sizeof(uint32_t));
  }
  return table + steps;
}

ReturnAddressSet::ReturnAddressSet(std::span<const uint8_t> encoded) {
  LittleEndianCursor cursor(encoded);
  const uint32_t size = cursor.U32();
  table_ =
      cursor.Bytes((uint64_t{size} + kPerBlock - 1) / kPerBlock * kPlaceSize);
  steps_ = cursor.Bytes(cursor.remaining());
  if (cursor.ok()) size_ = size;
}

uint64_t ReturnAddressSet::FirstOf(uint32_t block) const {
  return LittleEndianCursor(table_, uint64_t{block} * kPlaceSize).U64();
}

bool ReturnAddressSet::Contains(uint64_t address) const {
  uint32_t low = 0;
  uint32_t high = static_cast<uint32_t>(table_.size() / kPlaceSize);
  if (size_ == 0 || FirstOf(0) > address) return false;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (FirstOf(middle) <= address ? low : high) = middle;
  }
  LittleEndianCursor place(table_, uint64_t{low} * kPlaceSize);
  uint64_t found = place.U64();
  LittleEndianCursor steps(steps_, place.U32());
  const uint32_t count = std::min(kPerBlock, size_ - low * kPerBlock);
  for (uint32_t i = 1; i < count && found < address && steps.ok(); ++i)
    found += steps.Uleb();
  return found == address;
}

}  // namespace heapprof
