// SPDX-License-Identifier: Apache-2.0
//
// Reads the file names that jemalloc gives to dumps and logs.
#pragma once

#include <string>

namespace heapprof {

// The process in the name that jemalloc gives to a dump: "PREFIX.PID" of
// "PREFIX.PID.SEQ.f.heap", "….SEQ.i12.heap" and their compressed forms; empty
// for other names. The prefix may contain dots.
std::string ProcessOfDump(const std::string& path);

// The last dump, in the same folder, of the process that wrote the prof_log at
// `path` ("PREFIX.PID.SEQ.json"); empty if there is none.
std::string DumpBesideLog(const std::string& path);

}  // namespace heapprof
