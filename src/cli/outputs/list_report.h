// SPDX-License-Identifier: Apache-2.0
//
// The report of --list: the sources of the functions that a pattern matches.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Notes sources that are not found. Fails if the pattern is bad or matches no
// function that holds something.
Result<std::string> ListReport(const Profile& profile, const Options& options,
                               Unit unit, Diagnostics& diagnostics);

}  // namespace heapprof
