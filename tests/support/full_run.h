// SPDX-License-Identifier: Apache-2.0
//
// Tests whose size is a matter of time are short in the normal run, and long
// in that of `scripts/test.sh --full`.
#pragma once

#include <cstdlib>

namespace heapprof {

inline bool IsFullRun() { return std::getenv("HEAPPROF_FULL") != nullptr; }

// What a test is about: `normal` many, in a full run `full`.
inline size_t Scaled(size_t normal, size_t full) {
  return IsFullRun() ? full : normal;
}

}  // namespace heapprof
