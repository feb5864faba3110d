// SPDX-License-Identifier: Apache-2.0
//
// --each: writes outputs for each dump, as a run for that dump alone would, but
// opens and names the binaries only once.
#pragma once

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "heapprof/base/error.h"

namespace heapprof {

Result<void> WriteEach(const Options& options, Session& session);

}  // namespace heapprof
