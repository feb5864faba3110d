// SPDX-License-Identifier: Apache-2.0
//
// Functions on paths. Most use only the text, some also the file system.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `path` without ".", "x/.." and empty components. Uses only the text,
// because paths in debug information belong to another machine.
std::string NormalPath(std::string_view path);
// True for most paths that are already in normal form; takes less time.
bool IsPlainPath(std::string_view path);

// Returns the path that a binary with this build id, in hex, has below a debug
// directory: ".build-id/ab/cdef"; that of its debug file ends with ".debug".
// Empty if the id is too short.
std::string BuildIdPath(std::string_view id);

// True if there is a file at `path`. An empty file does not count.
bool FileExists(const std::string& path);

// Returns the path that the absolute `path` has below `root`: "/srv" and
// "/bin/ls" give "/srv/bin/ls".
std::string Below(std::string_view root, std::string_view path);

// Like Below(), but treats `root` as the root of another file system: resolves
// symbolic links inside it, even absolute ones. Components that do not exist
// stay unchanged.
std::string ResolveBelow(std::string_view root, std::string_view path);

}  // namespace heapprof
