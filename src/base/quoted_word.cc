// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/quoted_word.h"

namespace heapprof {

std::string QuotedWord(std::string_view text) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kHarmless) == text.npos)
    return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

}  // namespace heapprof
