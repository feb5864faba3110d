// SPDX-License-Identifier: Apache-2.0
//
// Reads the file names that jemalloc gives to dumps and logs.
#pragma once

#include <string>

namespace heapprof {

// The process that a dump name stands for: "PREFIX.PID" of
// "PREFIX.PID.SEQ.f.heap", "….SEQ.i12.heap" and their packed forms; empty for
// other names. jemalloc writes such names; the prefix may contain dots.
std::string ProcessOfDump(const std::string& path);

// The last dump of the process whose prof_log is at `path`, which is called
// "PREFIX.PID.SEQ.json", in the same folder; empty if there is none.
std::string DumpBesideLog(const std::string& path);

}  // namespace heapprof
