// SPDX-License-Identifier: Apache-2.0
//
// Text in the language of manual pages: the macros of man(7).
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns the text with the escapes that show it as it is.
std::string RoffText(std::string_view text);

// Appends a part of the manual: paragraphs are filled, lists of terms become
// tagged paragraphs, and other indented lines, such as examples and tables,
// stay as they are.
void AppendRoffBlocks(std::string_view text, std::string& page);

}  // namespace heapprof
