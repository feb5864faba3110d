// SPDX-License-Identifier: Apache-2.0
//
// Asks a process that `heapprof record` has started for a dump.
#pragma once

#include <string>

#include "heapprof/base/error.h"

namespace heapprof {

// Waits until the process has written a dump and returns its path. The error is
// of kind kNoData if the process does not answer such requests.
Result<std::string> RequestDump(int process);

// Returns a command that makes gdb ask the process for a dump; empty if it was
// not started with the profiler on. `process` need not be recorded.
std::string DebuggerCommand(int process);

}  // namespace heapprof
