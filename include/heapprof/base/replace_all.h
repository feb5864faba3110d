// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `text` with `by` in place of each `part`, which must not be empty.
// Takes linear time, unlike a loop of std::string::replace().
inline std::string ReplaceAll(std::string_view text, std::string_view part,
                              std::string_view by) {
  std::string replaced;
  size_t start = 0;
  for (size_t at = 0; (at = text.find(part, start)) != text.npos;
       start = at + part.size()) {
    replaced += text.substr(start, at - start);
    replaced += by;
  }
  replaced += text.substr(start);
  return replaced;
}

}  // namespace heapprof
