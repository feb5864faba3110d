// SPDX-License-Identifier: Apache-2.0
//
// --callers and --callees.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "cli/system/terminal.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// `mode` is one of the two. Notes what is not shown.
Result<std::string> CallTreeReport(const Profile& profile, OutputMode mode,
                                   const Look& look, const Options& options,
                                   Diagnostics& diagnostics);

}  // namespace heapprof
