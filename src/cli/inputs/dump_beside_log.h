// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace heapprof {

// Returns the path of the last dump of the process that wrote the log at `path`
// (a prof_log of jemalloc; see ProcessOfLog()). Looks only in the folder of the
// log. Returns an empty string if there is no dump.
std::string DumpBesideLog(const std::string& path);

}  // namespace heapprof
