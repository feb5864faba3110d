// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "heapprof/base/char_class.h"

namespace heapprof {

inline constexpr std::string_view kOperator = "operator";

// True if the word "operator" is at the start of `rest`, the text that follows
// `before`.
inline bool IsOperatorAt(std::string_view before, std::string_view rest) {
  return rest.starts_with(kOperator) &&
         (before.empty() || !IsWord(before.back())) &&
         (rest.size() == kOperator.size() || !IsWord(rest[kOperator.size()]));
}

// Returns the symbol at the start of `rest`, the text after "operator", if the
// symbol contains brackets; empty if there is none.
inline std::string_view BracketOperatorAt(std::string_view rest) {
  // Longest first, so that "<" does not match the start of "<<=".
  constexpr std::array<std::string_view, 12> kSymbols = {
      "<<=", ">>=", "<=>", "->*", "()", "<<", ">>", "<=", ">=", "->", "<", ">"};
  for (const std::string_view symbol : kSymbols)
    if (rest.starts_with(symbol)) return symbol;
  return {};
}

}  // namespace heapprof
