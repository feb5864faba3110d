// SPDX-License-Identifier: Apache-2.0
//
// Runs the program: takes the parsed options, and writes reports and messages.
#pragma once

#include "cli/args/options.h"

namespace heapprof {

// Runs all steps from reading the input to the report. The report goes to
// standard output or a file, messages go to standard error. Returns the exit
// status.
int RunCommand(Options options);

// Prints "heapprof: error: …" and returns the exit status, which is `failed`
// unless the command line is wrong.
int ReportError(const Error& error, int failed);

}  // namespace heapprof
