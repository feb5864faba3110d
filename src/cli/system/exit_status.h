// SPDX-License-Identifier: Apache-2.0
//
// The exit statuses of the program.
#pragma once

namespace heapprof {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // unreadable input, write error
inline constexpr int kExitUsage = 2;
// The statuses of `heapprof check`. There, 1 always means that the check has
// judged the dumps and its verdict is bad. Therefore, errors have another
// status.
inline constexpr int kExitFinding = 1;
inline constexpr int kExitCheckFailed = 3;
inline constexpr int kExitFewSymbols = 4;

}  // namespace heapprof
