// SPDX-License-Identifier: Apache-2.0
//
// The labels and comments that heapprof writes into pprof profiles, and those
// that it writes only into a baseline: a profile with the data for error bars,
// against which later dumps are checked. See PprofOptions::is_baseline.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapprof {

// At the samples of the base, as pprof itself writes it; its value is "true".
inline constexpr std::string_view kBaseLabel = "pprof::base";
// A LifetimeName().
inline constexpr std::string_view kLifetimeLabel = "lifetime";
// The name of a thread or, if it has none, its uid.
inline constexpr std::string_view kThreadLabel = "thread";
inline constexpr std::string_view kThreadUidLabel = "thread_uid";
// Only in a baseline.
inline constexpr std::string_view kThreadNameLabel = "thread_name";
inline constexpr std::string_view kRunLabel = "run";
// The comment starts with this text. The number of thread stacks in each run
// (each dump from which the baseline was made) follows.
inline constexpr std::string_view kThreadStacksComment =
    "heapprof: thread stacks by run:";
// The comment of a profile that is not a baseline, or of a symbolized file,
// made of dumps whose threads may share a random seed; see SharedSeeds. pprof
// does not show comments that begin with "#".
inline constexpr std::string_view kSharedSeedsComment =
    "#heapprof: the threads of the dumps may share sampling errors";
// The most runs in a baseline. heapprof makes a profile from each run when it
// reads the baseline. Without a limit, a small damaged file that states many
// runs would need much memory.
inline constexpr size_t kMostBaselineRuns = 100;

}  // namespace heapprof
