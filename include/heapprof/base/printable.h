// SPDX-License-Identifier: Apache-2.0
//
// Makes text from an untrusted file safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `text` with "?" in place of every control character, so that no line
// break or escape sequence in a name can affect the layout or the terminal. The
// control characters are ASCII's and U+0080 to U+009F, which some terminals
// obey too.
inline std::string Printable(std::string_view text) {
  std::string printable;
  printable.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next =
        static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool is_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    if (is_c1) ++i;
    printable += is_c1 || byte < ' ' || byte == 0x7f ? '?' : text[i];
  }
  return printable;
}

}  // namespace heapprof
