// SPDX-License-Identifier: Apache-2.0
//
// Varints, as protobuf calls unsigned LEB128 numbers: 7 bits in each byte, the
// lowest first. LittleEndianCursor::Uleb() reads them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

constexpr size_t kMaxVarintSize = 10;  // bytes

// Writes `value` to an iterator, and returns the iterator after it.
template <typename Out>
constexpr Out PutVarint(Out out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *out++ = static_cast<char>(value | 0x80);
  *out++ = static_cast<char>(value);
  return out;
}

// The zigzag code gives numbers near 0 a short varint, negative ones, too:
// 0, -1, 1, -2 become 0, 1, 2, 3.
constexpr uint64_t ZigZag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t UnZigZag(uint64_t code) {
  return static_cast<int64_t>(code >> 1 ^ (~(code & 1) + 1));
}

}  // namespace heapprof
