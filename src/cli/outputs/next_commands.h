// SPDX-License-Identifier: Apache-2.0
//
// The commands that a report suggests to run next.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "cli/outputs/report_request.h"

namespace heapprof {

// Returns the commands that follow a report about `functions` (names or labels,
// the most important one first): the callers of the first one that has a name
// and not just an address, and the run again with `output`. Empty if there is
// no function. A long name is shortened if the command then has room on a line
// of the terminal; it still selects this function only.
std::vector<std::string> NextCommands(std::span<const std::string> functions,
                                      const std::string& output,
                                      const ReportRequest& request);

// Returns the output option for a page with all views, or without
// nlohmann-json, for a flame graph: "-o STEM.html".
std::string PageOutput(std::string_view stem);

// Returns the user's command line with another output.
std::string CommandWith(const std::string& output, const Options& options);

}  // namespace heapprof
