// SPDX-License-Identifier: Apache-2.0
//
// The command: options in, report and messages out.
#pragma once

#include "cli/args/options.h"
#include "cli/system/exit_status.h"

namespace heapprof {

// Runs the passes in order: writes the report to standard output or a file, and
// messages to standard error. Returns the exit status.
int RunCommand(Options options);

// Prints "heapprof: error: …" and returns the exit status: `failed` unless the
// command line is wrong.
int ReportError(const Error& error, int failed);

}  // namespace heapprof
