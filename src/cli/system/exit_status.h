// SPDX-License-Identifier: Apache-2.0
//
// What the program returns to the shell.
#pragma once

namespace heapprof {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // unreadable input, write error
inline constexpr int kExitUsage = 2;
// Of `heapprof check`, where 1 means a finding and nothing else.
inline constexpr int kExitFinding = 1;
inline constexpr int kExitCheckFailed = 3;
inline constexpr int kExitFewSymbols = 4;

}  // namespace heapprof
