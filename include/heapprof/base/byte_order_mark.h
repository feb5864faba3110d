// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// Returns `text` without the byte order mark of UTF-8, with which programs of
// Windows begin a text.
constexpr std::string_view WithoutByteOrderMark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  return text.substr(text.starts_with(kMark) ? kMark.size() : 0);
}

}  // namespace heapprof
