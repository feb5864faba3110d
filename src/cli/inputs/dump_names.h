// SPDX-License-Identifier: Apache-2.0
//
// Reads the file names that jemalloc gives to dumps and logs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heapprof {

// Removes ".gz" and the like from the end of a name or path.
std::string_view WithoutCompressionSuffix(std::string_view name);

// Returns the part of a dump's name that identifies the process: "PREFIX.PID"
// of "PREFIX.PID.SEQ.f.heap", "….SEQ.i12.heap" and their compressed forms.
// Dumps of `heapprof record` have "r12" in this place. Returns an empty string
// for other names. The prefix may contain dots.
std::string ProcessOfDump(const std::string& path);

// Returns the number PID in such a name; nothing for other names.
std::optional<uint64_t> ProcessIdOfDump(const std::string& path);

// Returns the number SEQ in such a name, by which jemalloc numbers the dumps of
// a process; 0 for other names.
uint64_t SequenceOfDump(const std::string& path);

// Returns why a dump was written, by its name: 'f' when the program ended, 'r'
// by `heapprof record`, 'i', 'u' or 'm' by jemalloc for another reason; 0 if
// the name is none that dumps get.
char DumpKind(const std::string& path);

// Returns the path of the last dump of the process that wrote the log at `path`
// (a prof_log of jemalloc, "PREFIX.PID.SEQ.json"). Looks only in the folder of
// the log. Returns an empty string if there is no dump.
std::string DumpBesideLog(const std::string& path);

}  // namespace heapprof
