// SPDX-License-Identifier: Apache-2.0
//
// Text from files in Markdown. Names come from binaries, so that they may
// contain any mark of that language; in code spans, none of them has a meaning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

inline constexpr size_t kLongestCode = 120;

// Returns `text` as a code span, shortened to `longest` columns.
std::string Code(std::string_view text, size_t longest = kLongestCode);

// The same for a cell of a table, which "|" would end.
std::string CodeInCell(std::string_view text, size_t longest = kLongestCode);

// Returns `lines`, each of which ends with a newline, as a code block.
std::string CodeBlock(std::string_view lines);

// Returns `text` with a backslash before what is a mark elsewhere than in a
// code span.
std::string MarkdownText(std::string_view text);

}  // namespace heapprof
