// SPDX-License-Identifier: Apache-2.0
//
// Paths as text, and the few questions to the file system about them.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// True if both name one file, or are equal. A missing file equals nothing.
bool SameFile(const std::string& a, const std::string& b);

// `path` without ".", "x/.." and empty parts, by its text alone: the paths of
// debug information are those of another machine.
std::string NormalPath(std::string_view path);

// An empty file is as good as none.
bool FileExists(const std::string& path);

// True if `path` is `folder` or something in it.
bool IsBelow(std::string_view path, std::string_view folder);

// The absolute `path` as it is called below another root: "/srv" and "/bin/ls"
// give "/srv/bin/ls".
std::string Below(std::string_view root, std::string_view path);

// The same where `root` is the root of another file system: its symbolic links
// lead nowhere outside it, absolute ones included. What does not exist is left
// as it is.
std::string ResolveBelow(std::string_view root, std::string_view path);

}  // namespace heapprof
