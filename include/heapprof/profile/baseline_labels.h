// SPDX-License-Identifier: Apache-2.0
//
// What heapprof adds to a pprof profile that is a baseline. See PprofOptions.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapprof {

inline constexpr std::string_view kRunLabel = "run";
inline constexpr std::string_view kThreadUidLabel = "thread_uid";
inline constexpr std::string_view kThreadNameLabel = "thread_name";
// A comment: this, then a number for each run.
inline constexpr std::string_view kThreadStacksComment =
    "heapprof: thread stacks by run:";
// A reader takes more runs for damage. It makes a profile of each, so that a
// small file with many runs would need much memory.
inline constexpr size_t kMostBaselineRuns = 100;

}  // namespace heapprof
