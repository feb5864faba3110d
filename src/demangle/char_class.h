// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace heapprof {

// Whatever the locale.
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

constexpr bool IsWord(char c) {
  return IsDigit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

}  // namespace heapprof
