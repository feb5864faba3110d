// SPDX-License-Identifier: Apache-2.0
//
// The room that UTF-8 text takes on a terminal: one column for most characters,
// two for those of Chinese, Japanese and Korean, none for combining ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

// True for every byte of a UTF-8 character except its first.
constexpr bool IsContinuationByte(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

size_t Columns(std::string_view text);

// Returns the start of `text`, at most this many columns.
std::string_view FirstColumns(std::string_view text, size_t columns);

// Returns how many rows a line takes on a terminal of so many columns; 0: no
// limit.
inline size_t RowsOnTerminal(std::string_view line, size_t columns) {
  if (columns == 0) return 1;
  return std::max<size_t>(1, (Columns(line) + columns - 1) / columns);
}

// Returns how many lines of `text` are complete.
inline size_t LineCount(std::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n'));
}

// Returns `text`, shortened to `columns` (at least 1) if it is wider: "…"
// replaces its middle. Keeps more of the end than of the beginning, because
// names often differ only at the end, where line numbers are, too.
std::string Shortened(std::string_view text, size_t columns);

}  // namespace heapprof
