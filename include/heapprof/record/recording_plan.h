// SPDX-License-Identifier: Apache-2.0
//
// Decides how a program is recorded, and makes its environment.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heapprof/record/jemalloc_facts.h"
#include "heapprof/record/program_facts.h"

namespace heapprof {

struct RecordOptions {
  uint64_t rate = uint64_t{512} << 10;  // mean bytes between samples; 2^n
  uint64_t every_ms = 0;                // 0: no dumps by time
  uint64_t growth = 0;                  // bytes; 0: no dumps by growth
  bool children = false;                // record them, too
  bool rss = false;                     // the files for `heapprof explain`, too
  bool recent = false;                  // with a log of recent allocations
  std::string prefix = {};              // absolute: how the names begin
};

struct RecordingPlan {
  // The jemalloc to preload; empty if the program brings its own.
  std::string preloaded_jemalloc;
  std::string jemalloc;  // for messages: which one is used
  // Our library is preloaded, too. Otherwise jemalloc writes a dump at exit.
  bool preloads_recorder = false;
  std::string limits;  // one line on what does not work; empty: all does
  // The settings of the jemalloc in use and of any other one.
  std::vector<std::string> variables;
  // Those of a jemalloc in the program that would complain about settings.
  std::vector<std::string> spared_variables = {};
  bool names_threads = false;
  bool keeps_recent = true;  // or it is not known
  bool is_python = false;
};

// Returns the power of two that is nearest to `bytes`, by their ratio.
uint64_t NearestRate(uint64_t bytes);

// Returns true if jemalloc's profiler aborts the program: in a static one, the
// C library calls malloc() before libgcc can unwind. A jemalloc with a prefix
// gets only later calls.
bool AbortsAtStart(const ProgramFacts& program);

// Returns true if the program needs a jemalloc that has to be found.
bool NeedsJemalloc(const ProgramFacts& program);

// `library` is the jemalloc that was found for a program that needs one or, if
// it is known, the one that the program links. Fails if the program can load
// none.
Result<RecordingPlan> PlanRecording(
    const ProgramFacts& program, const std::optional<JemallocLibrary>& library);

// The files of `heapprof record` that the program opens when it starts.
struct RecorderFiles {
  std::string library;
  std::string status;
};

// Returns the mean bytes between samples that `environment` asks for, in the
// settings of a jemalloc in use: the last lg_prof_sample that is a number.
std::optional<uint64_t> RateInEnvironment(
    std::span<const std::string> environment, const RecordingPlan& plan);

// Returns the environment of the program: `environment` with the settings. See
// src/record/preload/settings.c, which reads them.
std::vector<std::string> RecordingEnvironment(
    std::span<const std::string> environment, const RecordingPlan& plan,
    const RecordOptions& options, const RecorderFiles& files);

}  // namespace heapprof
