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

// Reads the budgets file, completes the settings of `options` with it, and
// checks that they make sense together.
Result<Budgets> PrepareCheck(Options& options,
                             std::chrono::year_month_day today);

// Fails if a dump cannot be judged: it is damaged, empty, or has no sampling
// period. `diagnostics` has the findings of reading.
Result<void> CheckSamples(const LoadedInputs& inputs, const Options& options,
                          const Diagnostics& diagnostics);

// Where the samples come from.
struct CheckInput {
  const LoadedInputs& inputs;
  const Symbolizer& symbolizer;
  const Budgets& budgets;
};

// Writes the report and the baseline. Sets `status` to the exit status, also if
// it fails.
Result<void> RunCheck(Profile profile, const CheckInput& input,
                      const Options& options, int& status, Progress& progress,
                      Diagnostics& diagnostics);

}  // namespace heapprof
