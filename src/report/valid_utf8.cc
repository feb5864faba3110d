// SPDX-License-Identifier: Apache-2.0
#include "report/valid_utf8.h"

#include <cstring>

namespace heapprof {
namespace {

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

Utf8Character FirstCharacter(std::string_view bytes) {
  const auto byte = [bytes](size_t i) -> unsigned {
    return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {.code = lead, .size = 1};
  if (lead < 0xc2 || lead > 0xf4) return {.size = 1, .is_valid = false};
  const size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const unsigned second = byte(1);
  const bool ill_formed = (lead == 0xe0 && second < 0xa0) ||  // overlong
                          (lead == 0xed && second > 0x9f) ||  // a surrogate
                          (lead == 0xf0 && second < 0x90) ||  // overlong
                          (lead == 0xf4 && second > 0x8f);    // after U+10FFFF
  if (ill_formed) return {.size = 1, .is_valid = false};
  uint32_t code = lead & 0x7fU >> size;
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {.size = i, .is_valid = false};
    code = code << 6 | (byte(i) & 0x3f);
  }
  return {.code = code, .size = size};
}

std::string ValidUtf8(std::string_view bytes) {
  std::string valid;
  valid.reserve(bytes.size());
  while (true) {
    const size_t ascii = AsciiLength(bytes);
    valid += bytes.substr(0, ascii);
    bytes.remove_prefix(ascii);
    if (bytes.empty()) return valid;
    const Utf8Character first = FirstCharacter(bytes);
    if (first.is_valid)
      valid += bytes.substr(0, first.size);
    else
      valid.append(first.size, '?');
    bytes.remove_prefix(first.size);
  }
}

bool IsValidUtf8(std::string_view bytes) {
  while (true) {
    bytes.remove_prefix(AsciiLength(bytes));
    if (bytes.empty()) return true;
    const Utf8Character first = FirstCharacter(bytes);
    if (!first.is_valid) return false;
    bytes.remove_prefix(first.size);
  }
}

}  // namespace heapprof
