// SPDX-License-Identifier: Apache-2.0
//
// What the program returns to the shell.
#pragma once

namespace heapprof {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // unreadable input, write error
inline constexpr int kExitUsage = 2;

}  // namespace heapprof
