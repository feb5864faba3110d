// SPDX-License-Identifier: Apache-2.0
//
// What reports say about an input of a run.
#pragma once

#include <cstdint>
#include <string>

#include "heapprof/base/sides.h"

namespace heapprof {

struct InputFacts {
  std::string path;
  Side side = Side::kNew;
  std::string format = {};       // "jemalloc heap dump"
  std::string produced_by = {};  // "jemalloc 4.0 or later"; may be empty
  uint64_t sampling_period = 0;  // bytes; 0 = unknown
  int64_t time_seconds = 0;      // since 1970; 0 = unknown
  std::string program = {};      // path; empty if unknown
  std::string build_id = {};     // of the program; empty if unknown
  uint64_t random_address = 0;   // RandomAddress(): differs between processes
  double live_bytes = 0;         // estimated, before any filter
};

}  // namespace heapprof
