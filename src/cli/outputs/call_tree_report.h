// SPDX-License-Identifier: Apache-2.0
//
// --callers and --callees.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/system/terminal.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// `mode` is one of the two. What is not shown is added to `notes`.
Result<std::string> CallTreeReport(const Profile& profile, OutputMode mode,
                                   const Look& look, const Options& options,
                                   std::vector<std::string>& notes);

}  // namespace heapprof
