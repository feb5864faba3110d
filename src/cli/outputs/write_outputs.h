// SPDX-License-Identifier: Apache-2.0
//
// From a named profile to what the user sees: the outputs of a run are made,
// then written, all or none.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "cli/system/progress.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

Result<void> WriteReport(const std::string& report, const Output& output);

// Makes all reports before it writes the first: one that cannot be made
// leaves no file of any. `inputs` are what `profile` was made of, `symbolizer`
// has named the profile's frames; what the user should know is noted.
Result<void> WriteReports(Profile profile, const LoadedInputs& inputs,
                          const Symbolizer& symbolizer, const Options& options,
                          Progress& progress, Diagnostics& diagnostics);

// The same for `heapprof info` on the one dump of `inputs`.
Result<void> WriteInfo(Profile profile, const LoadedInputs& inputs,
                       const Symbolizer& symbolizer, const Options& options,
                       Progress& progress, Diagnostics& diagnostics);

}  // namespace heapprof
