// SPDX-License-Identifier: Apache-2.0
//
// Makes text from an untrusted file safe to print on a terminal or in a job of
// a CI service.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `text` with "?" in place of every control character, so that no line
// break or escape sequence in a name can affect the layout or the terminal.
// These characters are replaced:
//   - the control characters of ASCII
//   - U+0080 to U+009F, which some terminals obey, too
//   - the line breaks of Unicode
//   - the marks that change the direction of text: a name could use them to
//     hide or reorder the text next to it ("Trojan Source", CVE-2021-42574)
//   - the second "#" of "##[" and "##vso[": the runners of GitHub and Azure
//     take what follows for a command, in any line that a job prints
std::string Printable(std::string_view text);

// True if `text` is ASCII and Printable() returns it as it is.
bool IsPrintable(std::string_view text);

}  // namespace heapprof
