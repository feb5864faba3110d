// SPDX-License-Identifier: Apache-2.0
//
// The commands that a report suggests to run next.
#pragma once

#include <span>
#include <string>
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

// Returns the user's command line with another output.
std::string CommandWith(const std::string& output, const Options& options);

}  // namespace heapprof
