// SPDX-License-Identifier: Apache-2.0
//
// Sizes of tests that could run for any time: small in a normal run, large with
// `scripts/test.sh --full`.
#pragma once

#include <cstdlib>

namespace heapprof {

inline bool IsFullRun() { return std::getenv("HEAPPROF_FULL") != nullptr; }

// Returns `normal`, or `full` in a full run.
inline size_t Scaled(size_t normal, size_t full) {
  return IsFullRun() ? full : normal;
}

}  // namespace heapprof
