// SPDX-License-Identifier: Apache-2.0
//
// The passes of `heapprof check` that other commands do not have.
#pragma once

#include <chrono>

#include "cli/args/options.h"
#include "cli/inputs/budgets.h"
#include "cli/inputs/load.h"
#include "cli/system/progress.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

// Returns the budgets from the file that `options` name, if any. Also copies
// settings from that file to `options`, except those that the command line
// sets. Fails if the settings do not make sense together.
Result<Budgets> PrepareCheck(Options& options,
                             std::chrono::year_month_day today);

// What RunCheck() needs to know besides the profile and the options.
struct CheckInput {
  const LoadedInputs& inputs;
  const Symbolizer& symbolizer;
  const Budgets& budgets;
};

// Judges `profile`, and writes the report and, with --save-baseline, the
// baseline. Sets `status` to the exit status, even if the function fails.
Result<void> RunCheck(Profile profile, const CheckInput& input,
                      const Options& options, int& status, Progress& progress,
                      Diagnostics& diagnostics);

}  // namespace heapprof
