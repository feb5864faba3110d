// SPDX-License-Identifier: Apache-2.0
//
// Parts of paths, by their text alone.
#pragma once

#include <string_view>

namespace heapprof {

// Returns the part of `path` after its last slash, or all of it if it has none.
inline std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// True for file names of shared libraries: "libz.so", "libz.so.1.2".
inline bool IsLibraryName(std::string_view name) {
  return name.ends_with(".so") || name.contains(".so.");
}

}  // namespace heapprof
