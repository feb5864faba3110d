// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of one line from left to right; never reads past its end.
//
// Most of a dump is hexadecimal addresses. They are read eight digits at a
// time, as a 64-bit word whose bytes are processed in parallel: "5581c151"
// costs a few arithmetic operations and no branch per digit.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "heapprof/base/char_class.h"

namespace heapprof {

class TextScanner {
 public:
  explicit TextScanner(std::string_view text)
      : at_(text.data()), end_(text.data() + text.size()) {}

  bool AtEnd() const { return at_ == end_; }
  std::string_view Rest() const {
    return {at_, static_cast<size_t>(end_ - at_)};
  }
  char Peek() const { return at_ == end_ ? '\0' : *at_; }

  void SkipBlanks() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  bool Eat(char expected) {
    if (at_ == end_ || *at_ != expected) return false;
    ++at_;
    return true;
  }
  bool Eat(std::string_view expected) {
    if (!Rest().starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }
  // Reads and returns everything up to the next blank.
  std::string_view Word() {
    const char* begin = at_;
    while (at_ != end_ && *at_ != ' ' && *at_ != '\t') ++at_;
    return {begin, static_cast<size_t>(at_ - begin)};
  }

  // The characters up to the next blank, as two numbers that are quick to
  // compare. The numbers hold eight characters each, padded with NULs.
  struct Token {
    uint64_t low = 0;
    uint64_t high = 0;
    size_t size = 0;  // in characters; kTooLong: 16 or more
  };
  static constexpr size_t kTooLong = 16;

  Token PeekToken() const {
    const uint64_t low = NextEight(at_);
    const size_t low_size = LengthToBlank(low);
    if (low_size < sizeof low) return {CutTo(low, low_size), 0, low_size};
    const uint64_t high = NextEight(at_ + sizeof low);
    const size_t high_size = LengthToBlank(high);
    return {low, CutTo(high, high_size), sizeof low + high_size};
  }

  // Moves past the text up to the next blank and returns it. `token` is what
  // PeekToken() returned here.
  std::string_view TakeToken(const Token& token) {
    if (token.size == kTooLong) return Word();
    const char* begin = at_;
    at_ += token.size;
    return {begin, token.size};
  }

  // Reads one or more decimal digits. Returns nothing if there is no digit or
  // if the number does not fit.
  std::optional<uint64_t> Decimal() {
    constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
    const char* begin = at_;
    uint64_t value = 0;
    for (; at_ != end_ && IsDigit(*at_); ++at_) {
      const auto digit = static_cast<uint64_t>(*at_ - '0');
      if (value > kMax / 10 || (value == kMax / 10 && digit > kMax % 10))
        return std::nullopt;
      value = value * 10 + digit;
    }
    if (at_ == begin) return std::nullopt;
    return value;
  }

  // Reads one or more hexadecimal digits, in upper or lower case. Returns
  // nothing if there is no digit or if the number does not fit.
  std::optional<uint64_t> Hex() {
    const char* begin = at_;
    uint64_t value = 0;
    uint64_t word = NextEight(at_);
    int digits = CountHexDigits(word);
    for (; digits == 8; digits = CountHexDigits(word)) {
      if ((value >> 32) != 0) return std::nullopt;
      value = (value << 32) | HexValue(word, 8);
      at_ += 8;
      word = NextEight(at_);
    }
    if (digits != 0) {
      const int bits = 4 * digits;
      if ((value >> (64 - bits)) != 0) return std::nullopt;
      value = (value << bits) | HexValue(word, digits);
      at_ += digits;
    }
    if (at_ == begin) return std::nullopt;
    return value;
  }

 private:
  static constexpr uint64_t kEachByte = 0x0101010101010101;

  // Returns eight characters from `at`, the first one in the lowest byte. If
  // the line ends earlier, the rest is NULs. `at` must not be past the end.
  uint64_t NextEight(const char* at) const {
    uint64_t word = 0;
    const auto left = static_cast<size_t>(end_ - at);
    if (left >= sizeof word) {
      std::memcpy(&word, at, sizeof word);
      if constexpr (std::endian::native == std::endian::big)
        word = std::byteswap(word);
      return word;
    }
    for (size_t i = left; i-- > 0;)
      word = (word << 8) | static_cast<unsigned char>(at[i]);
    return word;
  }

  // Returns how many characters of `word` precede the first blank or control
  // character; 8 if there is none. The subtraction sets the high bit of each
  // byte that is a blank or a control character. A borrow from such a byte can
  // set wrong bits only in later bytes, which do not matter.
  static constexpr size_t LengthToBlank(uint64_t word) {
    constexpr uint64_t kHighBits = kEachByte * 0x80;
    const uint64_t below = (word - kEachByte * (' ' + 1)) & ~word & kHighBits;
    return static_cast<size_t>(std::countr_zero(below)) / 8;
  }

  // Returns the lowest `size` bytes of `word`.
  static constexpr uint64_t CutTo(uint64_t word, size_t size) {
    return size == sizeof word ? word : word & ~(~uint64_t{0} << (8 * size));
  }

  // Sets the high bit of each byte of `word` (all below 128) that is at least
  // `limit`.
  static constexpr uint64_t AtLeast(uint64_t word, char limit) {
    return word + kEachByte * (0x80 - static_cast<uint64_t>(limit));
  }

  // Returns how many of the lowest bytes of `word` are hexadecimal digits.
  // Stops counting at the first byte that is not one.
  static constexpr int CountHexDigits(uint64_t word) {
    constexpr uint64_t kHighBits = kEachByte * 0x80;
    const uint64_t ascii = word & ~kHighBits;
    const uint64_t lower_case = ascii | (kEachByte * 0x20);
    const uint64_t is_digit = AtLeast(ascii, '0') & ~AtLeast(ascii, '9' + 1);
    const uint64_t is_letter =
        AtLeast(lower_case, 'a') & ~AtLeast(lower_case, 'f' + 1);
    const uint64_t is_hex = (is_digit | is_letter) & ~word & kHighBits;
    return std::countr_zero(is_hex ^ kHighBits) / 8;
  }

  // Returns the value of the number that the lowest `digits` bytes of `word`
  // spell. These bytes are 1 to 8 hexadecimal digits.
  static constexpr uint64_t HexValue(uint64_t word, int digits) {
    // Shifts the digits up; the NULs below them count as leading zeros.
    word <<= 8 * (8 - digits);
    // In ASCII, only letters have bit 6 set. The low four bits of 'a' are 1, so
    // 9 is added to each letter.
    uint64_t value =
        (word & (kEachByte * 0x0f)) + 9 * ((word >> 6) & kEachByte);
    value = ((value << 4) | (value >> 8)) & 0x00ff00ff00ff00ff;
    value = ((value << 8) | (value >> 16)) & 0x0000ffff0000ffff;
    return ((value << 16) | (value >> 32)) & 0xffffffff;
  }

  const char* at_;
  const char* end_;
};

}  // namespace heapprof
