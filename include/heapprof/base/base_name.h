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

// Returns the folder of the file at `path`, without a slash at its end; empty
// if it has none.
inline std::string_view FolderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

// True if `path` is `folder` or is inside it. Goes only by the text.
inline bool IsBelow(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) &&
         (path.size() == folder.size() || path[folder.size()] == '/');
}

// Returns the file name of a library without its version: "libz.so" for
// "/lib/libz.so.1.2".
inline std::string_view LibraryName(std::string_view path) {
  constexpr std::string_view kVersion = ".so.";
  const std::string_view name = BaseName(path);
  const size_t version = name.find(kVersion);
  return version == name.npos ? name
                              : name.substr(0, version + kVersion.size() - 1);
}

// True for file names of shared libraries: "libz.so", "libz.so.1.2".
inline bool IsLibraryName(std::string_view name) {
  return name.ends_with(".so") || name.contains(".so.");
}

}  // namespace heapprof
