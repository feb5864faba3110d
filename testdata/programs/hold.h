// SPDX-License-Identifier: Apache-2.0
//
// Keeps blocks of the test programs reachable until exit, so that a dump
// written at exit holds exactly what a program's comment says.
#pragma once

#include <cstdlib>

namespace hold {

inline constexpr int kMaxBlocks = 4096;

// Volatile: the compiler can neither drop the store nor the allocation.
inline void* volatile kept[kMaxBlocks];
inline int kept_count = 0;

[[gnu::always_inline]] inline void Keep(void* block) {
  if (kept_count == kMaxBlocks) std::abort();
  kept[kept_count++] = block;
}

}  // namespace hold
