// SPDX-License-Identifier: Apache-2.0
//
// What the names of the files after -o say. A name with the extension of
// another format is an error, because a text table in a file mem.html helps
// nobody.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// True if -o with this path, or no -o at all, means standard output.
inline bool IsStandardOutput(std::string_view path) {
  return path.empty() || path == "-";
}

// Returns ".svg" for "mem.svg", and nothing for "report", "-" and ".hidden".
std::string_view Extension(std::string_view path);

// Returns the extension that says the format: ".json" for "mem.json.gz", and
// nothing for "mem.gz".
std::string_view FormatExtension(std::string_view path);

// Returns an error if a path occurs twice.
Result<void> CheckDistinct(std::span<const std::string> paths);

// Returns the position of the extension of `path` in `extensions`, which are
// those that `command` writes; an empty one stands for a format without files.
// ".gz" may follow. The first one is that of files without an extension.
Result<size_t> FindExtension(const std::string& path,
                             std::span<const std::string_view> extensions,
                             std::string_view command);

}  // namespace heapprof
