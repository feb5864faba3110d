// SPDX-License-Identifier: Apache-2.0
//
// The dumps of a recorded program, on disk.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

// Returns the absolute prefix of the dumps of `program`. `output` is what the
// user gives: a folder, with a slash at its end or an existing one; a prefix;
// or nothing, for the current folder. Creates the folder of the dumps. Fails if
// no file can be written there.
Result<std::string> DumpPrefix(std::string_view output,
                               std::string_view program);

// What the names of the files that --rss writes have in place of ".heap".
inline constexpr std::string_view kStatsExtension = ".stats.json";
inline constexpr std::string_view kSmapsExtension = ".smaps";
inline constexpr std::string_view kStatusExtension = ".status";
// Written only if jemalloc keeps a log of recent allocations.
inline constexpr std::string_view kRecentExtension = ".recent.json";

// Returns the path of such a file next to a dump; empty if there is none.
std::string RssFileBeside(const std::string& dump, std::string_view extension);

// Returns the dumps whose names begin with `prefix`, a dot and `process`, or
// any number if `process` is 0. The last one written comes last.
std::vector<std::string> FindDumps(const std::string& prefix, int process);

}  // namespace heapprof
