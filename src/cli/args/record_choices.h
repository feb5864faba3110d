// SPDX-License-Identifier: Apache-2.0
//
// The options of `heapprof record`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/record/recording_plan.h"

namespace heapprof {

struct RecordChoices {
  RecordOptions recording;           // `prefix` is chosen later
  uint64_t asked_rate = 0;           // before it was rounded; 0 if not given
  std::string jemalloc;              // path; empty: the system's
  std::string output;                // -o; empty: the current folder
  std::vector<std::string> program;  // with its arguments
};

}  // namespace heapprof
