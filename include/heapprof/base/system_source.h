// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// True for the path of a source file of the system's libraries. Files in
// /usr/src do not count, because distributions and containers build programs
// there.
inline bool IsSystemSource(std::string_view path) {
  if (path.starts_with("/usr/src/") || path.starts_with("/usr/local/src/"))
    return false;
  return path.starts_with("/usr/") || path.starts_with("/nix/store/") ||
         path.contains("/include/c++/");
}

}  // namespace heapprof
