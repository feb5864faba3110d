// SPDX-License-Identifier: Apache-2.0
//
// From the arguments of the program to Options.
#pragma once

#include <span>
#include <string>

#include "cli/args/options.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Parses `args`, which do not contain the program's name. Opens no file. Errors
// are of kind kUsage.
Result<Options> ParseArgs(std::span<const std::string> args);

}  // namespace heapprof
