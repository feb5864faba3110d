// SPDX-License-Identifier: Apache-2.0
//
// The passes of `heapprof check` that other commands do not have.
#pragma once

#include <chrono>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "cli/system/progress.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/check/budgets.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

// Returns the budgets from the command line and from the file that it names, if
// any. Also sets the metric in `options` if the file chooses it. Fails if the
// budgets do not make sense together.
Result<Budgets> PrepareCheck(Options& options,
                             std::chrono::year_month_day today);

// Fails if it is unclear which side an input belongs to, or if it cannot be
// judged. Then, a gate sets `status`.
Result<void> CheckCheckInputs(const LoadedInputs& inputs,
                              const Options& options, int& status,
                              const Diagnostics& diagnostics);

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
