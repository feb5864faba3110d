// SPDX-License-Identifier: Apache-2.0
//
// Makes the outputs of a run from a profile whose frames have names, and writes
// all of them or none.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "cli/outputs/report_request.h"
#include "cli/system/progress.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/view/info.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

// Returns the line that ends a run if too much of `profile`, whose modules are
// `modules`, has no names; empty otherwise.
std::string CoverageNote(const Profile& profile, const ModuleTable& modules,
                         const Options& options);

// Writes the only output of a run.
Result<void> WriteReport(const ReportRequest& request);

// What outputs are made from, apart from the profile.
struct OutputContext {
  const LoadedInputs& inputs;    // the profile was made from these
  const Symbolizer& symbolizer;  // named the frames of the profile
  const Options& options;
  Progress& progress;
  Diagnostics& diagnostics;
};

// Writes all outputs of a run. No file appears if another output fails.
Result<void> WriteReports(Profile profile, const OutputContext& context);

// Transforms `profile` as for a report and returns what `heapprof info` says
// about the only dump. `with_dwarf`: see ModuleInfosOf().
Result<Info> DescribeDump(Profile& profile, bool with_dwarf,
                          const OutputContext& context);

// Writes the report of `heapprof info` about the only dump.
Result<void> WriteInfo(Profile profile, const OutputContext& context);

}  // namespace heapprof
