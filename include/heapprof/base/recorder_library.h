// SPDX-License-Identifier: Apache-2.0
//
// The library that `heapprof record` preloads. Its file is in memory or, for
// programs of other users, on disk, but exists only while the program runs.
#pragma once

#include <string_view>

namespace heapprof {

inline constexpr std::string_view kRecorderLibrary = "libheapprof_record.so";

// True for the path of the library in a memory map.
inline bool IsRecorderLibrary(std::string_view path) {
  return path.ends_with(kRecorderLibrary);
}

// Returns the path or, of the library, only its name: its folder has another
// name in each run, but it is the same module.
inline std::string_view WithoutRecorderFolder(std::string_view path) {
  return IsRecorderLibrary(path) ? kRecorderLibrary : path;
}

}  // namespace heapprof
