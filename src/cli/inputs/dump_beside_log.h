// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace heapprof {

// Returns the path of the dump that has the memory map for the log at `path`:
// the one of the same moment, if 'heapprof record --recent-log' wrote both, or
// else the last one of the process (of a prof_log; see ProcessOfLog()). Looks
// only in the folder of the log. Returns an empty string if there is no dump.
std::string DumpBesideLog(const std::string& path);

}  // namespace heapprof
