// SPDX-License-Identifier: Apache-2.0
//
// Breaks text and shell commands into lines that fit a terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// Returns `text` in lines of at most `columns`, broken between words, but not
// within an amount such as "1.2 ± 0.3 MiB". A word that is longer than a line,
// such as a path, stays whole.
std::vector<std::string> WrappedText(std::string_view text, size_t columns);

// Returns a shell command in lines of at most `columns`, broken between
// `parts`, which stay whole. All lines but the last end with a backslash, so
// that the command can be copied; all but the first are indented.
std::vector<std::string> WrappedCommand(std::span<const std::string> parts,
                                        size_t columns);

}  // namespace heapprof
