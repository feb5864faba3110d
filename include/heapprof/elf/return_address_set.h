// SPDX-License-Identifier: Apache-2.0
//
// The addresses of a file that follow a call instruction, in about a byte each.
// An index of the file stores them: where the file is missing, they still show
// whether the return addresses of a profile fit it.
//
// The encoded form has little-endian numbers:
//   u32  number of addresses
//   then for each block of kPerBlock addresses (the last one may be shorter):
//   u64  the first address of the block
//   u32  offset of the block's other addresses in the bytes after this table
//   then for each address that is not the first of its block:
//   varint  the address minus the one before (unsigned LEB128)
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace heapprof {

class ReturnAddressSet {
 public:
  ReturnAddressSet() = default;
  // `encoded` must outlive the set. The bytes are not trusted: whatever they
  // contain, Contains() stays inside of them.
  explicit ReturnAddressSet(std::span<const uint8_t> encoded);

  // Returns the encoded form of `addresses`, which are sorted and unique.
  static std::string Encode(std::span<const uint64_t> addresses);

  uint32_t size() const { return size_; }
  bool Contains(uint64_t address) const;

 private:
  static constexpr uint32_t kPerBlock = 128;
  static constexpr size_t kPlaceSize = 12;  // of a block, in the table

  uint64_t FirstOf(uint32_t block) const;

  uint32_t size_ = 0;
  std::span<const uint8_t> table_;
  std::span<const uint8_t> steps_;
};

}  // namespace heapprof
