// SPDX-License-Identifier: Apache-2.0
//
// Interprets the options that several commands share, when all of them have
// been read: the metric, the rows and the outputs. Errors are of kind kUsage.
#pragma once

#include <string>
#include <vector>

#include "cli/args/option_setters.h"
#include "cli/args/output_table.h"
#include "heapprof/base/error.h"

namespace heapprof {

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
