// SPDX-License-Identifier: Apache-2.0
//
// How reports name the dumps of a comparison.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace heapprof {

struct ComparedDump {
  std::string path;
  std::string program = {};   // path; empty if unknown
  std::string build_id = {};  // of the program; empty if unknown
  int64_t time_seconds = 0;   // 0 = unknown
};

// Returns " and 2 more" if `dumps` come from three files, and nothing if they
// come from one. Dumps that were saved in one baseline have the same path and
// count as one file.
std::string MoreDumps(std::span<const ComparedDump> dumps);

// Returns " (build 289ee39f0a1b)", or nothing if the build id is unknown.
std::string BuildText(const ComparedDump& dump);

}  // namespace heapprof
