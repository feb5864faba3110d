// SPDX-License-Identifier: Apache-2.0
//
// Asks a process that `heapprof record` has started for a dump, or how it is
// recorded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// What the process writes.
enum class DumpFiles : uint8_t {
  kDump,
  kDumpAndRss,  // and next to it, what `heapprof explain` reads
};

// Waits until the process has written a dump and returns its path. The error is
// of kind kNoData if the process does not answer such requests.
Result<std::string> RequestDump(int process, DumpFiles files);

// What the jemalloc of a recorded process says about itself.
struct RecordingState {
  std::string settings;  // as in MALLOC_CONF
  std::string prefix;    // how the names of its dumps begin
};

// Asks the process how it is recorded. Changes nothing. The error is of kind
// kNoData if the process does not answer such requests.
Result<RecordingState> RequestState(int process);

enum class Debugger : uint8_t { kGdb, kLldb };

// Returns the debugger that can call functions of a process on this processor.
// If it has AMX, gdb before version 14 cannot write its registers back, and
// the process ends.
Debugger DebuggerHere();

// Returns a command that makes a debugger ask a process for a dump. It need not
// be recorded, but its profiler must be on. `prefix` is NamePrefix() of its
// jemalloc.
std::string DumpCommand(int process, std::string_view prefix,
                        Debugger debugger);
// Returns a command that asks whether sampling is switched on: the last value
// that it prints is true or 1 if it is.
std::string ActiveCommand(int process, std::string_view prefix,
                          Debugger debugger);

// Returns DumpCommand() for the process; empty if it was not started with the
// profiler on.
std::string DebuggerCommand(int process);

}  // namespace heapprof
