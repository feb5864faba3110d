// SPDX-License-Identifier: Apache-2.0
//
// The names and words that heapprof and the library that it preloads into a
// recorded program (src/record/preload) have in common. Both C++ and C11.
#pragma once

#ifdef __cplusplus
namespace heapprof {
#endif

// The variable with the settings of the library:
// "EVERY_MS:GROWTH:CHILDREN:RSS:PRELOADED:STATUS:PREFIX".
static const char kSettingsVariable[] = "HEAPPROF_RECORD";
// What comes before the name of a variable, to save the value that it had
// before the recording.
static const char kSavedVariable[] = "HEAPPROF_RECORD_SAVED_";

// The name of the socket, in the abstract namespace, before the process id.
static const char kSocketName[] = "heapprof-record.";
// Requests to the socket. Their first letters differ.
static const char kDumpRequest[] = "dump";
static const char kRssRequest[] = "rss";
static const char kStateRequest[] = "state";

// The states of the profiler, as the library reports them at the start.
static const char kNoJemalloc[] = "no jemalloc";
static const char kNoProfiler[] = "no profiler";
static const char kProfilerIsOff[] = "off";
static const char kProfilerIsOn[] = "on";

// The first characters of other reports, and of answers to requests: what
// failed, and what a dump lacks.
static const char kFailureMark = '!';
static const char kWarningMark = '*';

// What the names of the files that --rss writes have in place of ".heap".
static const char kStatsExtension[] = ".stats.json";
static const char kSmapsExtension[] = ".smaps";
static const char kStatusExtension[] = ".status";
// Written only if jemalloc keeps a log of recent allocations.
static const char kRecentExtension[] = ".recent.json";

#ifdef __cplusplus
}  // namespace heapprof
#endif
