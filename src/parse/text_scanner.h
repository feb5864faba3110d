// SPDX-License-Identifier: Apache-2.0
//
// Reads the fields of one line from the left; never looks past its end.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

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
  // Everything up to the next blank.
  std::string_view Word() {
    const char* begin = at_;
    while (at_ != end_ && *at_ != ' ' && *at_ != '\t') ++at_;
    return {begin, static_cast<size_t>(at_ - begin)};
  }

  // Digits, at least one; nothing if the number does not fit.
  std::optional<uint64_t> Decimal() {
    const char* begin = at_;
    uint64_t value = 0;
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_) {
      const auto digit = static_cast<uint64_t>(*at_ - '0');
      constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
      if (value > (kMax - digit) / 10) return std::nullopt;
      value = value * 10 + digit;
    }
    if (at_ == begin) return std::nullopt;
    return value;
  }

  // Hexadecimal digits of either case, 1 to 16 after leading zeros.
  std::optional<uint64_t> Hex() {
    const char* begin = at_;
    uint64_t value = 0;
    for (; at_ != end_; ++at_) {
      const int8_t digit = kHexDigit[static_cast<unsigned char>(*at_)];
      if (digit < 0) break;
      if ((value >> 60) != 0) return std::nullopt;
      value = (value << 4) | static_cast<uint64_t>(digit);
    }
    if (at_ == begin) return std::nullopt;
    return value;
  }

 private:
  static constexpr std::array<int8_t, 256> kHexDigit = [] {
    std::array<int8_t, 256> table;
    table.fill(-1);
    for (int i = 0; i < 10; ++i)
      table[static_cast<size_t>('0' + i)] = static_cast<int8_t>(i);
    for (int i = 0; i < 6; ++i) {
      table[static_cast<size_t>('a' + i)] = static_cast<int8_t>(10 + i);
      table[static_cast<size_t>('A' + i)] = static_cast<int8_t>(10 + i);
    }
    return table;
  }();

  const char* at_;
  const char* end_;
};

}  // namespace heapprof
