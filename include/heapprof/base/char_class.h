// SPDX-License-Identifier: Apache-2.0
//
// Classes of ASCII characters, whatever the locale.
#pragma once

namespace heapprof {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// As Rust and demanglers write them.
constexpr bool IsHexDigit(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f');
}

constexpr bool IsWord(char c) {
  return IsDigit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

}  // namespace heapprof
