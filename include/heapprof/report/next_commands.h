// SPDX-License-Identifier: Apache-2.0
//
// How text for people shows the commands that may follow it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"

namespace heapprof {

// Returns a line for each command, the first one after "Next:".
inline std::vector<std::string> NextLines(
    std::span<const std::string> commands) {
  std::vector<std::string> lines;
  for (const std::string& command : commands)
    lines.push_back((lines.empty() ? "Next:  " : "       ") +
                    Printable(command));
  return lines;
}

// Returns how many rows of a terminal the lines of the commands take.
inline size_t RowsOfNextLines(std::span<const std::string> commands,
                              size_t columns) {
  size_t rows = commands.size();
  if (columns == 0) return rows;
  for (const std::string& line : NextLines(commands))
    rows += (Columns(line) - 1) / columns;
  return rows;
}

}  // namespace heapprof
