// SPDX-License-Identifier: Apache-2.0
//
// Makes text from an untrusted file safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `text` with "?" in place of every control character, so that no line
// break or escape sequence in a name can affect the layout or the terminal. The
// control characters are ASCII's, U+0080 to U+009F, which some terminals obey
// too, Unicode's line breaks, and the marks that change the direction of text,
// with which a name could hide or reorder what is next to it ("Trojan Source",
// CVE-2021-42574).
std::string Printable(std::string_view text);

}  // namespace heapprof
