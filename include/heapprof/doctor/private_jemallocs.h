// SPDX-License-Identifier: Apache-2.0
//
// Libraries that allocate from a jemalloc of their own, as those of Arrow and
// Polars do. Its functions have a prefix, so it does not replace malloc(), and
// a dump of another jemalloc has none of its memory.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace heapprof {

// Returns those of the files that contain such a jemalloc. Files that cannot be
// read are skipped.
std::vector<std::string> FindPrivateJemallocs(
    std::span<const std::string> files);

// Returns what is not in a dump because of them: "libarrow.so has a jemalloc of
// its own, ..."
std::string PrivateJemallocText(std::span<const std::string> files);

}  // namespace heapprof
