// SPDX-License-Identifier: Apache-2.0
//
// How text for people shows the commands that may follow it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heapprof {

// Returns the lines that show the commands, the first one after "Next:". A
// command that is wider than a terminal of `columns` continues on further
// lines, after a backslash; 0 columns: no limit.
std::vector<std::string> NextLines(std::span<const std::string> commands,
                                   size_t columns);

// Returns how many rows of a terminal the lines of the commands take.
size_t RowsOfNextLines(std::span<const std::string> commands, size_t columns);

}  // namespace heapprof
