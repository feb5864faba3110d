// SPDX-License-Identifier: Apache-2.0
//
// The labels and the comment that heapprof adds to a pprof profile that is a
// baseline. See PprofOptions.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapprof {

inline constexpr std::string_view kRunLabel = "run";
inline constexpr std::string_view kThreadUidLabel = "thread_uid";
inline constexpr std::string_view kThreadNameLabel = "thread_name";
// A comment of the profile starts with this text. The number of thread stacks
// in each run follows.
inline constexpr std::string_view kThreadStacksComment =
    "heapprof: thread stacks by run:";
// The most runs in a baseline. There is a limit because heapprof makes a
// profile from each run when it reads the baseline: a small damaged file that
// states many runs would need much memory.
inline constexpr size_t kMostBaselineRuns = 100;

}  // namespace heapprof
