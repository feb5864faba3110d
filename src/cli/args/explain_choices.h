// SPDX-License-Identifier: Apache-2.0
//
// The options of `heapprof explain`.
#pragma once

#include <string>

namespace heapprof {

// Paths; empty: the file next to the dump, if there is one.
struct ExplainChoices {
  std::string stats;
  std::string smaps;
  std::string status;
};

}  // namespace heapprof
