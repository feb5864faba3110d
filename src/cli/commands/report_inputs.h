// SPDX-License-Identifier: Apache-2.0
//
// The passes of a report, from the profiles that were read to the outputs.
#pragma once

#include "cli/args/options.h"
#include "cli/commands/passes.h"
#include "cli/inputs/load.h"
#include "heapprof/base/error.h"

namespace heapprof {

Result<void> ReportInputs(LoadedInputs inputs, Options& options,
                          Session& session);

}  // namespace heapprof
