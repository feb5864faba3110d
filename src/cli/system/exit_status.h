// SPDX-License-Identifier: Apache-2.0
//
// The exit statuses of the program. `heapprof check` has more: see
// heapprof/check/finding.h.
#pragma once

namespace heapprof {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;  // unreadable input, write error
inline constexpr int kExitUsage = 2;
// As those of shells; the first two are those of `heapprof record`.
inline constexpr int kExitCannotRun = 126;
inline constexpr int kExitNoProgram = 127;
inline constexpr int kExitBySignal = 128;  // plus the number of the signal

}  // namespace heapprof
