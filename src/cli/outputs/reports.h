// SPDX-License-Identifier: Apache-2.0
//
// From a shaped profile to the bytes of one output.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "cli/inputs/load.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

// True if the output shows both sides of a comparison: its profile is not to
// be subtracted.
bool NeedsBothSides(const Output& output, const Options& options);

// True if the output tells threads apart by itself.
bool ShowsThreads(const Output& output);

// `profile` was made of `inputs`, and `symbolizer` has named its frames. What
// the user should know of a report is noted.
Result<std::string> MakeReport(const Profile& profile,
                               const LoadedInputs& inputs,
                               const Symbolizer& symbolizer,
                               const Output& output, const Options& options,
                               Diagnostics& diagnostics);

}  // namespace heapprof
