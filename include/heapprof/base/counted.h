// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// Returns a number and its noun: "1 dump", "3 dumps". The plural is the noun
// with an "s", unless it is given.
inline std::string Counted(uint64_t count, std::string_view noun,
                           std::string_view plural = {}) {
  std::string text = std::to_string(count) + ' ';
  if (count == 1 || plural.empty()) text += noun;
  if (count != 1) text += plural.empty() ? "s" : plural;
  return text;
}

}  // namespace heapprof
