// SPDX-License-Identifier: Apache-2.0
//
// How text for people shows the commands that may follow it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heapprof/base/printable.h"

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

}  // namespace heapprof
