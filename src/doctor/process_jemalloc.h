// SPDX-License-Identifier: Apache-2.0
//
// The jemalloc of a process that runs, and its settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doctor/process_view.h"
#include "heapprof/record/jemalloc_facts.h"
#include "heapprof/record/profiler_settings.h"

namespace heapprof {

struct ProcessJemalloc {
  std::string path;       // of its file, as the process sees it
  std::string path_here;  // by which it can be opened here
  bool is_in_program = false;
  JemallocFacts facts;
};

// Returns the jemalloc that the process uses, most likely; nothing if there is
// none in its files.
std::optional<ProcessJemalloc> FindProcessJemalloc(const ProcessView& process);

// Returns the libraries of the process, by their paths here, that allocate from
// jemallocs of their own instead of `used`.
std::vector<std::string> FindOtherJemallocs(const ProcessView& process,
                                            const ProcessJemalloc& used);

struct ProcessSettings {
  ProfilerSettings settings;
  // What set the profiler on or off last: "MALLOC_CONF"; empty: nothing.
  std::string source;
  // The variable that has settings, but that this jemalloc does not read; or
  // empty.
  std::string unread_variable;
  // True if the process itself said what is in use now. Otherwise these are the
  // settings of its start, which it may have changed.
  bool is_recorded = false;
  bool is_live = false;
  // For live settings: profiling was off at the start.
  bool was_inactive = false;
};

// Reads the settings in the order in which jemalloc does; the last ones count.
ProcessSettings ReadProcessSettings(const ProcessView& process,
                                    const ProcessJemalloc& jemalloc);

}  // namespace heapprof
