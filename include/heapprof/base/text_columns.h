// SPDX-License-Identifier: Apache-2.0
//
// The room that UTF-8 text takes on a terminal: one column for each character.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// True for every byte of a UTF-8 character except its first.
constexpr bool IsContinuationByte(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

inline size_t Columns(std::string_view text) {
  return text.size() -
         static_cast<size_t>(std::ranges::count_if(text, IsContinuationByte));
}

// Returns the start of `text`, at most this many columns.
inline std::string_view FirstColumns(std::string_view text, size_t columns) {
  size_t end = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsContinuationByte(text[i]) && columns-- == 0) break;
    end = i + 1;
  }
  return text.substr(0, end);
}

// Returns how many lines of `text` are complete.
inline size_t LineCount(std::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

// Returns `text`, shortened to `columns` (at least 1) if it is wider: "…"
// replaces its middle. Keeps more of the end than of the beginning, because
// names often differ only at the end, where line numbers are, too.
inline std::string Shortened(std::string_view text, size_t columns) {
  std::vector<size_t> starts;  // offset of each character
  for (size_t i = 0; i < text.size(); ++i)
    if (!IsContinuationByte(text[i])) starts.push_back(i);
  if (starts.size() <= columns) return std::string(text);
  const size_t tail = (columns - 1) * 2 / 3;
  const size_t head = columns - 1 - tail;
  std::string shortened(text.substr(0, starts[head]));
  shortened += "…";
  if (tail != 0) shortened += text.substr(starts[starts.size() - tail]);
  return shortened;
}

}  // namespace heapprof
