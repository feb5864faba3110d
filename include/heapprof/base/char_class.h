// SPDX-License-Identifier: Apache-2.0
//
// Classes of ASCII characters, whatever the locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace heapprof {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// In lower case, as build ids, Rust and demanglers write them.
constexpr bool IsHexDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f');
}

constexpr bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool IsWord(char c) { return IsDigit(c) || c == '_' || IsLetter(c); }

// True if the text has digits, and nothing else.
constexpr bool IsAllDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsDigit);
}

constexpr bool IsAllHex(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsHexDigit);
}

}  // namespace heapprof
