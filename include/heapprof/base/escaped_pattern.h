// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns a regular expression that matches `text`. Braces, as in the functions
// "{{closure}}" and "{lambda#1}", are not escaped, because they do not have the
// form of a quantifier.
inline std::string EscapedPattern(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]").contains(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace heapprof
