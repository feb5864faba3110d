// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace heapprof {

// Returns arguments or an environment as posix_spawn() takes them: a pointer to
// each of the `strings`, which must stay where they are, and a null pointer.
inline std::vector<char*> ArgumentPointers(
    std::span<const std::string> strings) {
  std::vector<char*> pointers;
  for (const std::string& text : strings)
    pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace heapprof
