// SPDX-License-Identifier: Apache-2.0
//
// Finds the characters of a name that have to be examined. Names of C++
// templates often have a thousand characters, hence 16 at a time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace heapprof {

// A set of characters. With names that are copied run by run, this is faster
// than find_first_of().
using CharSet = std::array<bool, 256>;

constexpr CharSet SetOf(std::string_view chars) {
  CharSet set = {};
  for (const char c : chars) set[static_cast<uint8_t>(c)] = true;
  return set;
}

// Returns the position of the first of `chars` in `text` from `start` on; the
// size of `text` if there is none.
inline size_t FindAny(const CharSet& chars, std::string_view text,
                      size_t start) {
  while (start < text.size() && !chars[static_cast<uint8_t>(text[start])])
    ++start;
  return start;
}

// Returns the position of the first bracket "()<>", "->" or "operator" in
// `text` from `start` on, or of a blank if `and_blanks`; the size of `text` if
// there is none. May also return the position of another '-' or 'o'.
inline size_t FindSpecial(std::string_view text, size_t start,
                          bool and_blanks) {
  // Compilers make SIMD instructions of the operators of this type.
  using Chars = unsigned char __attribute__((vector_size(16)));
  const auto at = [text](size_t position) {
    Chars chars;
    std::memcpy(&chars, text.data() + position, sizeof chars);
    return chars;
  };
  const uint8_t blank = and_blanks ? ' ' : '(';
  if constexpr (std::endian::native == std::endian::little) {
    for (; start + sizeof(Chars) < text.size(); start += sizeof(Chars)) {
      const Chars c = at(start), next = at(start + 1);
      const auto found = (c == '(') | (c == ')') | (c == '<') | (c == '>') |
                         (c == blank) | ((c == '-') & (next == '>')) |
                         ((c == 'o') & (next == 'p'));
      std::array<uint64_t, 2> halves;
      std::memcpy(&halves, &found, sizeof halves);
      for (size_t i = 0; i < 2; ++i)
        if (halves[i] != 0)
          return start + 8 * i +
                 static_cast<size_t>(std::countr_zero(halves[i])) / 8;
    }
  }
  static constexpr CharSet kSpecial = SetOf("()<>-o");
  static constexpr CharSet kSpecialOrBlank = SetOf("()<>-o ");
  return FindAny(and_blanks ? kSpecialOrBlank : kSpecial, text, start);
}

}  // namespace heapprof
