// SPDX-License-Identifier: Apache-2.0
//
// The labels and the comment that heapprof writes into a baseline: a pprof
// profile with the data for error bars, against which later dumps are checked.
// See PprofOptions::is_baseline.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapprof {

inline constexpr std::string_view kRunLabel = "run";
inline constexpr std::string_view kThreadUidLabel = "thread_uid";
inline constexpr std::string_view kThreadNameLabel = "thread_name";
// The comment starts with this text. The number of thread stacks in each run
// (each dump from which the baseline was made) follows.
inline constexpr std::string_view kThreadStacksComment =
    "heapprof: thread stacks by run:";
// The most runs in a baseline. heapprof makes a profile from each run when it
// reads the baseline. Without a limit, a small damaged file that states many
// runs would need much memory.
inline constexpr size_t kMostBaselineRuns = 100;

}  // namespace heapprof
