// SPDX-License-Identifier: Apache-2.0
#include "report/valid_utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace heapprof {
namespace {

// Returns the length of the UTF-8 sequence at the start of `bytes`, or 0 if it
// is not well-formed. Follows the Unicode standard's table of well-formed
// sequences.
size_t Utf8Length(std::string_view bytes) {
  const auto byte = [bytes](size_t i) -> unsigned {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  const unsigned lead = byte(0);
  const size_t length = lead < 0x80                    ? 1
                        : lead >= 0xc2 && lead <= 0xdf ? 2
                        : lead >= 0xe0 && lead <= 0xef ? 3
                        : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                       : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool ill_formed = (lead == 0xe0 && second < 0xa0) ||  // overlong
                          (lead == 0xed && second > 0x9f) ||  // a surrogate
                          (lead == 0xf0 && second < 0x90) ||  // overlong
                          (lead == 0xf4 && second > 0x8f);    // after U+10FFFF
  return ill_formed ? 0 : length;
}

// Returns how many bytes at the start are ASCII. Nearly all names are ASCII
// only, and eight bytes at a time are checked much faster than sequences.
size_t AsciiLength(std::string_view bytes) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  size_t length = 0;
  for (uint64_t block = 0; length + sizeof(block) <= bytes.size();
       length += sizeof(block)) {
    std::memcpy(&block, bytes.data() + length, sizeof(block));
    if ((block & kHighBits) != 0) break;
  }
  while (length < bytes.size() &&
         static_cast<unsigned char>(bytes[length]) < 0x80)
    ++length;
  return length;
}

}  // namespace

std::string ValidUtf8(std::string_view bytes) {
  std::string valid;
  while (!bytes.empty()) {
    const size_t length = Utf8Length(bytes);
    valid += length == 0 ? std::string_view("?") : bytes.substr(0, length);
    bytes.remove_prefix(std::max<size_t>(length, 1));
  }
  return valid;
}

bool IsValidUtf8(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(AsciiLength(bytes));
    if (bytes.empty()) return true;
    const size_t length = Utf8Length(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
}

}  // namespace heapprof
