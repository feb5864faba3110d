// SPDX-License-Identifier: Apache-2.0
//
// The report of --disasm: the machine code of the functions that a pattern
// matches.
#pragma once

#include <string>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/view/units.h"

namespace heapprof {

// Notes sources that are not found. Fails if the pattern is bad or matches no
// function that has code of its own and holds something, or if objdump does.
Result<std::string> DisasmReport(const Profile& profile,
                                 const Symbolizer& symbolizer,
                                 const Options& options, Unit unit,
                                 Diagnostics& diagnostics);

}  // namespace heapprof
