// SPDX-License-Identifier: Apache-2.0
//
// Stacks as text. Their outer functions are often alike, so it is the innermost
// ones that are kept where room is scarce.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heapprof {

// Returns the functions of a stack, innermost first, as "Open < Serve < main",
// in at most `most` lines of `columns` characters. If there are more functions,
// the last line ends with " < …". A name that is wider than a line is
// shortened.
std::vector<std::string> StackLines(std::span<const std::string> frames,
                                    size_t columns, size_t most);

// The same in one line.
std::string StackLine(std::span<const std::string> frames, size_t columns);

// Returns the lines of several stacks: two lines each, or as many more as tell
// all of them apart, if eight do.
std::vector<std::vector<std::string>> DistinctStackLines(
    std::span<const std::vector<std::string>> stacks, size_t columns);

}  // namespace heapprof
