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

// Returns the path of a file that --rss writes next to a dump, with one of the
// extensions in recorder_protocol.h; empty if there is none.
std::string RssFileBeside(const std::string& dump, std::string_view extension);

// Returns the dumps whose names begin with `prefix`, a dot and `process`, or
// any number if `process` is 0. The last one written comes last.
std::vector<std::string> FindDumps(const std::string& prefix, int process);

// Removes the dumps that `process`, which must have ended, did not complete
// because it was killed, with the files that --rss writes next to them.
void RemoveUnfinishedDumps(const std::string& prefix, int process);

}  // namespace heapprof
