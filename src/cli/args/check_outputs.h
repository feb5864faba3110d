// SPDX-License-Identifier: Apache-2.0
//
// Which reports a run of `heapprof check` writes, and into which files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/args/check_choices.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Returns the outputs that `options` ask for, which come from NormalizeArgs().
// Each --format applies to the -o that follows it. An -o without a --format
// gets the format that its extension names. A --format without an -o goes to
// standard output; but a single --format also applies to a single -o before it.
Result<std::vector<CheckOutput>> ChooseCheckOutputs(
    std::span<const std::string> options);

}  // namespace heapprof
