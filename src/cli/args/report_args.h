// SPDX-License-Identifier: Apache-2.0
//
// Interprets the options that several commands share, when all of them have
// been read: the metric, the rows and the outputs. Errors are of kind kUsage.
#pragma once

#include <string>
#include <vector>

#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/output_table.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Sorts the positionals into the two sides of a comparison. If --new is given,
// --base and --new each take all files that follow them. If it is not given,
// --base takes only its own value, as in jeprof.
void SortSides(const NormalizedArgs& args, Options& options);

Result<void> SetMetric(ParsedArgs& args);
Result<void> SetGranularity(ParsedArgs& args);

// Returns the output that an option chooses; null if no option does.
Result<const OutputFormat*> ChosenFormat(const ParsedArgs& args);

// Sets the outputs of a report.
Result<void> SetOutputs(ParsedArgs& args);

// Returns the options, in the canonical form of NormalizeArgs(), with which
// --each shows one dump; those for its outputs come to them.
std::vector<std::string> OptionsOfOneDump(
    const std::vector<std::string>& canonical);

// Sets the metric, the rows and the outputs.
Result<void> SetReport(ParsedArgs& args);

}  // namespace heapprof
